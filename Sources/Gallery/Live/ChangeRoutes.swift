import Hummingbird
import NIOCore

/// The stream of changes.
struct ChangeRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/api/changes") { _, _ in
      let events = await parts.changes.subscribe()
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .init("X-Accel-Buffering")!: "no"],
        body: ResponseBody { writer in
          // A browser whose connection breaks connects again after this many milliseconds.
          try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
          for await event in events { try await writer.write(ByteBuffer(string: event)) }
          try await writer.finish(nil)
        })
    }
  }
}

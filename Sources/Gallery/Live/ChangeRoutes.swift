import HTTPTypes
import Hummingbird
import NIOCore

/// The stream of changes.
struct ChangeRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/api/changes") { request, _ in
      let events = await parts.changes.subscribe(after: request.headers[.lastEventID])
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

extension HTTPField.Name {
  /// The position of the last event that a browser got (https://html.spec.whatwg.org/multipage/server-sent-events.html).
  fileprivate static let lastEventID = Self("Last-Event-ID")!
}

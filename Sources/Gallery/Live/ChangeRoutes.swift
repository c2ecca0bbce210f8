import HTTPTypes
import Hummingbird
import NIOCore

/// The stream of changes, and the end of a session, which ends its streams.
struct ChangeRoutes: Sendable {
  let parts: GalleryParts
  let signIns: SignIns
  let cookies: SessionCookie

  /// Where a browser ends its session.
  static let signOutPath = "/sign-out"

  func add(to router: Router<GalleryContext>) {
    router.get("/api/changes") { request, context in
      let events = await parts.changes.subscribe(after: request.headers[.lastEventID])
      let (tokens, port) = (cookies.tokens(of: request, context), cookies.port(context))
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .init("X-Accel-Buffering")!: "no"],
        body: ResponseBody { [signIns] writer in
          // A browser whose connection breaks connects again after this many milliseconds.
          try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
          // The stream of a browser that has left would else count as one of its connections until something happens.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            for await event in events {
              // Who was signed out, or whose session has expired, is told nothing more.
              guard (try? await signIns.isSignedIn(tokens, port: port)) ?? false else { break }
              try await writer.write(ByteBuffer(string: event))
            }
          }
          try await writer.finish(nil)
        })
    }
    router.post(RouterPath(Self.signOutPath)) { request, context in
      try await signIns.signOut(cookies.tokens(of: request, context), port: cookies.port(context))
      await parts.changes.stir()
      var answer = Response(json: ["isSignedOut": true])
      answer.headers[.setCookie] = cookies.removal(request, context)
      return answer
    }
  }
}

extension HTTPField.Name {
  /// The position of the last event that a browser got (https://html.spec.whatwg.org/multipage/server-sent-events.html).
  fileprivate static let lastEventID = Self("Last-Event-ID")!
}

import Hummingbird
import MediaLibrary
import Web

/// Keeps marks from whoever may only look: in a gallery that is served for reading only, and below `/feed/`, which a read token
/// opens. What a filter finds there must not tell what its owner marked.
struct MarkPrivacy: RouterMiddleware {
  let isReadOnly: Bool

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    if isReadOnly || request.uri.path.hasPrefix("/feed/"), let text = request.fields["q"] {
      // What cannot be read finds nothing, but what is typed so far may.
      let filters = [try? Filter(parsing: text), try? Filter(parsing: text, isUnfinished: true)]
      if filters.contains(where: { $0?.asksMarks ?? false }) { throw RequestError.privateMarks }
    }
    return try await next(request, context)
  }
}

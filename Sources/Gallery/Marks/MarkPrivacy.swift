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

extension Filter {
  /// Whether it asks what the person has made of posts.
  var asksMarks: Bool {
    terms.contains { term in
      term.key.asksMarks || term.values.contains { Self.marks[term.key]?.contains($0) ?? false }
    }
  }

  private static let marks: [FilterKey: Set<FilterValue>] = [
    .is: [.word("favourite"), .word("hidden"), .word("seen"), .word("unseen"), .word("copy"), .word("elsewhere")],
    .has: [.word("note"), .word("gps")], .sort: [.word("rating")],
  ]
}

extension FilterKey {
  /// Whether all of its values ask what the person has made of posts, where pictures were taken, what other posts show, or what
  /// machines found.
  var asksMarks: Bool { [.own, .album, .saved, .rating, .near, .place, .country, .like, .machine].contains(self) }
}

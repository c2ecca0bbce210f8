import HTTPTypes
import Hummingbird

/// The API that a server of Lemmy's kind has: that of Lemmy 0.19, of Lemmy 1.0 or of PieFed. They differ in names and in
/// paging.
enum LemmyVersion: String, Sendable {
  case v3, v4, alpha

  /// Whether people, pages and communities are named as at PieFed.
  var isPieFed: Bool { self == .alpha }

  /// What it says of a post, a user or a community that it does not have.
  func missing(_ what: String) -> LemmyRefusal {
    switch self {
    case .v3: LemmyRefusal(.badRequest, "couldnt_find_\(what)")
    case .v4: LemmyRefusal(.notFound, "not_found")
    case .alpha: LemmyRefusal(.badRequest, "No row was found when one was required", isPieFed: true)
    }
  }

  func refusal(_ word: String, _ status: HTTPResponse.Status = .badRequest) -> LemmyRefusal {
    LemmyRefusal(isPieFed ? .badRequest : status, word, isPieFed: isPieFed)
  }
}

extension Dialect {
  /// The API of Lemmy's kind that it speaks.
  var lemmyVersion: LemmyVersion {
    switch self {
    case .piefed: .alpha
    case .lemmy1: .v4
    default: .v3
    }
  }
}

/// An error in Lemmy's form, `{"error": …}`, or in PieFed's, `{"message": …}`. Without a word it is a web page.
struct LemmyRefusal: APIRefusal {
  let status: HTTPResponse.Status
  let word: String?
  let isPieFed: Bool

  init(_ status: HTTPResponse.Status, _ word: String?, isPieFed: Bool = false) {
    (self.status, self.word, self.isPieFed) = (status, word, isPieFed)
  }

  var answer: Response {
    guard let word else { return DemoPage.error(status) }
    guard isPieFed else { return Response(json: ["error": .text(word)], status: status) }
    return Response(
      json: ["code": .number(status.code), "message": .text(word), "status": .text(status.reasonPhrase)], status: status
    )
  }
}

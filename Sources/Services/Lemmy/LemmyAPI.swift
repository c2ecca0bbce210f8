import HTTP
import Posts
import Synchronization

/// The APIs of Lemmy's kind. They differ in paths, in the names of parameters, and in how pages lead on.
enum LemmyAPI: String, CaseIterable {
  /// That of Lemmy 1.0, which also answers an older one in part. So it is asked for first.
  case v4
  /// That of Lemmy 0.19.
  case v3
  /// That of PieFed.
  case alpha

  /// The address of a path of the API.
  func address(_ path: String, at server: Server, _ query: [(String, String)] = []) -> String {
    Request.address("\(server.origin)/api/\(rawValue)/\(path)", query)
  }

  /// Whether an answer says that the server has no such API: it has no page there, and no word of the API's own for it.
  static func isUnknown(_ response: Response) -> Bool {
    response.status == 404 && LemmyAPIError(in: response.body).name == nil
  }
}

/// The API that a server turned out to speak.
final class SpokenAPI: Sendable {
  private let found = Mutex<LemmyAPI?>(nil)

  /// The API; nil before the first answer.
  var api: LemmyAPI? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = newValue } }
  }
}

/// The request for the posts of a feed.
struct LemmyTimeline {
  /// What is asked for. A name of a user or a community may have a host.
  enum Subject {
    case community(String)
    case user(String)
    case search(String)
  }

  let subject: Subject
  /// The tag that each post must have; nil if any post counts.
  var tag: String?

  /// The path of the request.
  func path(in api: LemmyAPI) -> String {
    switch (api, subject) {
    case (.v3, .user), (.alpha, .user): "user"
    case (.v3, .search): "search"
    default: "post/list"
    }
  }

  /// Whether pages are counted. Otherwise each names the next one.
  func isCounted(in api: LemmyAPI) -> Bool {
    switch (api, subject) {
    case (.v4, _), (.v3, .community): false
    default: true
    }
  }

  /// Whether the API takes no parameter against what a server hides there.
  func hidesPosts(in api: LemmyAPI, hasToken: Bool) -> Bool {
    switch (api, subject) {
    case (.v4, _), (.v3, .community): false
    case (.v3, _): true
    case (.alpha, _): hasToken
    }
  }

  /// The parameters of the request, in every case for the newest posts first, and against what settings hide as far as there are
  /// any.
  func query(in api: LemmyAPI) -> [(String, String)] {
    switch (api, subject) {
    case (.v4, .community(let name)): Self.newest + [("community_name", name)]
    case (.v4, .user(let name)): Self.newest + [("creator_username", name)]
    case (.v4, .search(let text)): Self.newest + [("search_term", text)]
    case (.v3, .community(let name)): Self.shown + [("sort", "New"), ("type_", "All"), ("community_name", name)]
    case (.v3, .user(let name)): [("sort", "New"), ("username", name)]
    case (.v3, .search(let text)): [("sort", "New"), ("type_", "Posts"), ("listing_type", "All"), ("q", text)]
    case (.alpha, .community(let name)): Self.unsorted + [("community_name", name)]
    case (.alpha, .user(let name)): [("sort", "New"), ("include_content", "true"), ("username", name)]
    case (.alpha, .search(let text)): Self.unsorted + [("q", tag ?? text)]
    }
  }

  private static let shown = [("show_nsfw", "true"), ("show_read", "true"), ("show_hidden", "true")]
  private static let newest = shown + [("sort", "new"), ("type_", "all"), ("mark_as_read", "false")]
  private static let unsorted = [("sort", "New"), ("type_", "All"), ("nsfw", "Include"), ("ignore_sticky", "true")]
}

import Posts

/// Why a session does not pull a feed, or wait for a picture.
public enum PullSessionError: ExplainedError, Equatable {
  /// The source cannot be pulled, or not by the API that the feed or its login names.
  case noSource(Feed)
  /// The server charges for each post, so that only a person may decide on a pull.
  case chargesForPosts(Server)
  /// No attachment has the number.
  case noAttachment(Int64)
  /// The library was closed while a picture was waited for.
  case closed

  /// What failed, and why.
  public var summary: String {
    switch self {
    case .noSource(let feed): "\(feed.source.rawValue) cannot be pulled by the API of this feed"
    case .chargesForPosts(let server): "\(server) charges for each post"
    case .noAttachment(let id): "no attachment has the id \(id)"
    case .closed: "the library was closed"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .noSource: "name another source, or log in again"
    case .chargesForPosts: "pull it with the media command and --budget"
    case .noAttachment, .closed: nil
    }
  }

  /// The exit status of a program that ends with it.
  public var exitCode: ExitCode {
    switch self {
    case .noSource, .chargesForPosts, .noAttachment: .usage
    case .closed: .storage
    }
  }
}

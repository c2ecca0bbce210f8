import FoundationEssentials
import MediaLibrary
import Posts

/// A post made by hand, from the words of a command's options.
struct TypedPost {
  private let typed: ManualPost

  /// - Throws: `UsageError` if a time is none.
  init(text: String, title: String?, start: String?, finish: String?, tags: [String]) throws {
    let times = TimeText()
    typed = ManualPost(
      text: text, title: title?.trimmingWhiteSpace, start: try start.map { try times.moment($0, for: "the start") },
      finish: try finish.map { try times.moment($0, for: "the finish") }, tags: tags)
  }

  /// The post.
  ///
  /// - Throws: `UsageError` or `ManualPostError` if what was typed is no post.
  func post(now: Date, needsText: Bool = true) throws -> Post {
    do { return try typed.post(now: now, needsText: needsText) } catch { throw Self.explained(error) }
  }

  /// The tags' names.
  ///
  /// - Throws: `UsageError` if a tag is empty or has several words.
  static func tags(_ typed: [String]) throws -> [String] {
    do { return try ManualPost.names(ofTags: typed) } catch { throw explained(error) }
  }

  private static func explained(_ error: ManualPostError) -> any Error {
    switch error {
    case .endsBeforeStart: UsageError("the finish is not after the start", cure: error.cure)
    case .badTag: UsageError(error.summary, cure: "write --tag cats --tag birds")
    case .shortText: error
    }
  }
}

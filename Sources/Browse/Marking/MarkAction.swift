import MediaLibrary
import Wording

/// What was said of posts.
public enum MarkAction: Sendable, Equatable {
  case marked([Mark])
  /// They were added to an album, which may be a new one.
  case added(String, isNew: Bool)
  /// They were hidden, or all posts of authors and tags with these names.
  case hidden([String])
  /// Their pictures were called the same, or different, and so many posts of an export became one with others of them.
  case called(SameVerdict, joined: Int)

  /// What is told of it.
  ///
  /// - Parameter count: Of how many posts it was said, and changed something.
  func words(_ count: Int) -> String {
    if case .hidden(let names) = self, !names.isEmpty { return "Hidden: \(names.joined(separator: ", "))." }
    guard count > 0 else { return "It was so before." }
    let words =
      switch self {
      case .marked(let marks): marks.map(\.words).joined(separator: ", ")
      case .hidden: "hidden"
      case .called(_, let joined) where joined > 0: "one post with that of the export"
      case .called(let verdict, _): verdict == .same ? "the same picture" : "different pictures"
      case .added(let album, let isNew): "\(isNew ? "in the new album" : "in the album") \u{201C}\(album)\u{201D}"
      }
    return count == 1
      ? "\(words.prefix(1).uppercased())\(words.dropFirst())." : "\(NumberText.count(count, "post")): \(words)."
  }
}

extension Mark {
  fileprivate var words: String {
    switch self {
    case .favourite(let isSet): isSet ? "favourite" : "no favourite any more"
    case .rating(let number): number == 0 ? "no rating any more" : "rating \(number) of 5"
    case .seen(let isSet): isSet ? "seen" : "unseen"
    case .hidden(let isSet): isSet ? "hidden" : "not hidden any more"
    case .note(let text): text?.isEmpty ?? true ? "no note any more" : "noted"
    case .ownTag(let name): "+\(name)"
    case .noOwnTag(let name): "+\(name) taken away"
    }
  }
}

/// The names that own tags and albums have.
public struct MarkNames: Sendable, Equatable {
  /// The own tags, without `+`.
  public var ownTags: [String]
  /// The albums.
  public var albums: [String]

  /// Creates names.
  public init(ownTags: [String], albums: [String]) { (self.ownTags, self.albums) = (ownTags, albums) }
}

import FoundationEssentials
import MediaLibrary
import Posts
import Storage
import Web

/// Which window of a list is asked for.
///
/// Three parameters name the anchor: `around`, a row's key; `at`, a post's number; `date`, a moment. Without one the window
/// begins at the list's start.
struct WindowRequest: Sendable {
  let address: ListAddress
  private let anchor: Anchor
  private let before: Int
  private let after: Int

  private enum Anchor: Sendable {
    case start
    case key(PostKey)
    case post(Int64)
  }

  /// The maximum number of rows on each side of the anchor.
  static let limit = 400

  init(_ fields: Fields) throws(RequestError) {
    address = ListAddress(fields)
    before = min(fields.count("before", atMost: Self.limit) ?? 0, Self.limit)
    after = fields.count("after", atMost: Self.limit) ?? 100
    if let text = fields["around"] {
      guard let key = PostKey(text) else { throw .badParameter("around", must: "the key of a row") }
      anchor = .key(key)
    } else if let text = fields["at"] {
      guard let id = Int64(text) else { throw .badParameter("at", must: "the number of a post") }
      anchor = .post(id)
    } else {
      anchor = .start
    }
  }

  /// Reads the window.
  func snapshot(in library: Library) throws -> Snapshot<ListedPost> {
    let key: PostKey? =
      switch anchor {
      case .start: nil
      case .key(let key): key
      case .post(let id):
        try library.store.posts(numbered: [id]).first.flatMap { PostKey("\(UTC.text($0.createdAt))/\($0.id)") }
      }
    return try library.snapshot(
      of: try address.list(in: library), window: Window(anchor: key, before: before, after: max(after, 1)))
  }
}

import FoundationEssentials
import Machine
import MediaLibrary
import Storage
import Web

/// Which window of a list is asked for.
///
/// `soon` asks for what a glance finds of a list that takes a while. Three parameters name the anchor: `around`, a row's position; `at`, a post's number; `date`, a moment, which in an album and in a
/// sorted list is the end. Without one the window begins at the list's start. With `typing`, the filter is one that somebody still types.
/// `random` asks for the list's posts in an order of no meaning, another one for each number.
struct WindowRequest: Sendable {
  var address: ListAddress
  /// The maximum length of a row's text, in bytes of UTF-8.
  let textLength: Int
  private let anchor: Anchor
  private let before: Int
  private let after: Int
  /// What an order of no meaning is made from; nil for the list's own order.
  private let seed: Int64?
  /// Whether the first rows are wanted at once, although the list may not be looked through yet.
  var isSoon: Bool

  private enum Anchor: Sendable {
    case start
    case key(PostKey)
    case post(Int64)
    case position(AlbumPosition)
  }

  /// The maximum number of rows on each side of the anchor.
  static let limit = 400

  init(_ fields: Fields) throws(RequestError) {
    let list = ListAddress(fields)
    address = fields.flag("typing") ? try list.asFarAsTyped() : list
    isSoon = fields.flag("soon")
    seed = fields["random"].map { Int64($0) ?? 0 }
    textLength = fields.count("text", atMost: 1000) ?? (fields["view"] == "list" ? 700 : 80)
    after = max(fields.count("after", atMost: Self.limit) ?? 100, 1)
    if let text = fields["around"] {
      anchor = try Self.anchor(around: text)
    } else if let text = fields["at"] {
      guard let id = Int64(text) else { throw .badParameter("at", must: "the number of a post") }
      anchor = .post(id)
    } else if let text = fields["date"] {
      anchor = .key(try Self.key(at: text))
    } else {
      anchor = .start
    }
    // A page that leads back to a post shows rows above it too, so many that its lines are those of before.
    before = fields.count("before", atMost: Self.limit) ?? (fields["at"] == nil ? 0 : 100)
  }

  /// Whether the window is anywhere but at the list's start.
  var isAnchored: Bool { if case .start = anchor { false } else { true } }

  private static func anchor(around text: String) throws(RequestError) -> Anchor {
    if let key = PostKey(text) ?? PostKey(row: text) ?? SortedPosition(text)?.key { return .key(key) }
    guard let position = AlbumPosition(text) else { throw .badParameter("around", must: "the key of a row") }
    return .position(position)
  }

  /// Reads the window.
  ///
  /// - Parameter isOwners: Whether the owner of the library looks.
  func snapshot(in library: Library, isOwners: Bool = false) throws -> ListWindow {
    var window = try rows(in: library, isOwners: isOwners)
    window.unknown = try address.unknownName(in: library.store)
    return window
  }

  private func rows(in library: Library, isOwners: Bool) throws -> ListWindow {
    if seed == nil, let album = address.album, let window = try window(ofAlbum: album, in: library.store) {
      return window
    }
    let list = try list(in: library, isOwners: isOwners)
    if isSoon, !isAnchored { return ListWindow(try library.glance(of: list, after: after)) }
    let key: PostKey? =
      switch anchor {
      case .start, .position: nil
      case .key(let key): try end(of: list, insteadOf: key, in: library.store) ?? key
      case .post(let id): try library.store.key(ofPost: id, on: list)
      }
    return ListWindow(try library.snapshot(of: list, window: Window(anchor: key, before: before, after: after)))
  }

  private func list(in library: Library, isOwners: Bool) throws -> PostListQuery {
    var list = try address.list(in: library, isOwners: isOwners)
    if let seed {
      // The first order is the one that counts.
      let order = Filter.term(Filter.Term(.sort, [.word("random")]))
      let filter = Filter.conjunction([order, list.filter?.filter ?? .everything])
      list.filter = PostFilter(filter, now: library.now(), seed: seed, searchesNotes: isOwners)
    }
    return list.listed(at: library.now())
  }

  /// The last row of a sorted list, in which a moment has no place; nil in any other list.
  private func end(of list: PostListQuery, insteadOf key: PostKey, in store: Store) throws -> PostKey? {
    guard key.section == nil, list.filter?.filter.terms.contains(where: { [.sort, .saved].contains($0.key) }) == true,
      let last = try store.lastKey(of: list), last.section != nil
    else { return nil }
    return last
  }

  private func window(ofAlbum name: String, in store: Store) throws -> ListWindow? {
    let anchor: AlbumAnchor =
      switch anchor {
      case .start: .start
      case .key: .end
      case .post(let id): .post(id)
      case .position(let position): .position(position)
      }
    return try store.window(ofAlbum: name, around: anchor, before: before, after: after).map(ListWindow.init)
  }

  /// The position of the newest post of a day (`2026-11-21`), of a month (`2026-11`), or not newer than a moment (seconds
  /// since 1970).
  private static func key(at text: String) throws(RequestError) -> PostKey {
    let numbers = text.split(separator: "-").map { Int($0) }
    if let seconds = Int(text) {
      return PostKey(at: Date(timeIntervalSince1970: Double(seconds)))
    } else if numbers.count == 3 {
      if let key = PostKey(try ListAddress.interval(text).end, id: .min) { return key }
    } else if numbers.count == 2, let year = numbers[0], let month = numbers[1] {
      let calendar = ZoneCalendar()
      let middle = calendar.moment(year: year, month: month, day: 15)
      if let middle, let key = PostKey(calendar.month(of: middle).end, id: .min) { return key }
    }
    throw .badParameter("date", must: "a day such as 2026-11-21, a month such as 2026-11, or seconds since 1970")
  }
}

extension PostKey {
  /// The position of a post, or of a moment between posts.
  init?(_ moment: Date, id: Int64) { self.init("\(UTC.text(moment))/\(id)") }

  /// Reads the short form that windows name rows by: milliseconds since 1970, a point, and the post's number.
  init?(row text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let millis = Int64(parts[0]), let id = Int64(parts[1]) else { return nil }
    self.init(Date(timeIntervalSince1970: Double(millis) / 1000), id: id)
  }

  /// The short form of a post's position.
  static func row(of post: StoredPost) -> String { "\(post.createdAt.millis).\(post.id)" }
}

extension Date {
  /// Milliseconds since 1970.
  var millis: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

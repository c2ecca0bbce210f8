import FoundationEssentials
import Machine
import MediaLibrary
import Storage
import Wording

/// A window of a list: newest first, in the order of an album, or sorted.
struct ListWindow: Sendable {
  let snapshot: Snapshot<ListedPost>
  /// What gives the list an order of its own; nil for one by time.
  var album: Album?
  /// What the filter names that is not there, as a sentence; nil if all is.
  var unknown: String?

  struct Album: Sendable {
    let name: String
    /// The positions of the window's rows.
    let positions: [AlbumPosition]
  }

  init(_ snapshot: Snapshot<ListedPost>) { self.snapshot = snapshot }

  init(_ window: AlbumWindow) {
    snapshot = Snapshot(window.reading)
    album = Album(name: window.name, positions: window.positions)
  }

  /// The position of a row, as `around` takes it.
  func position(of row: Int) -> String { positions?[row] ?? PostKey.row(of: snapshot.rows[row].post) }

  /// Up to when the list was looked through so far, as a date; nil for all of it.
  var looked: String? { snapshot.lookedTo.map { MomentText().day($0) } }

  /// How many rows it has, as far as it was looked through.
  var count: String {
    looked.map { "\(NumberText.count(snapshot.rows.count, "post")) so far, back to \($0)" } ?? snapshot.total.words
  }

  /// The positions of the rows, which sort as texts; nil if the newest is first.
  var positions: [String]? {
    if let album { return album.positions.map(\.description) }
    let positions = snapshot.rows.compactMap { SortedPosition($0.key)?.description }
    return positions.isEmpty ? nil : positions
  }
}

/// The position of a row in a sorted list, as a text that sorts as the rows do.
struct SortedPosition: LosslessStringConvertible {
  let key: PostKey

  /// nil for the key of a list that is not sorted.
  init?(_ key: PostKey) {
    guard key.section != nil else { return nil }
    self.key = key
  }

  /// Reads the text of a position; nil if the text is none.
  init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, let owner = Int64(parts[2]), let age = Int64(parts[3]),
      let rest = Int64(parts[4]), age >= 0, rest >= 0,
      let key = PostKey(Date(timeIntervalSince1970: Double(Self.end - age) / 1000), id: .max - rest)
    else { return nil }
    let section = PostKey.Section(name: String(parts[1]), id: owner)
    self.key = PostKey(section: section, createdAt: key.createdAt, id: key.id)
  }

  var description: String {
    let section = key.section.map { "\($0.name)/\(Self.digits($0.id))" } ?? "/"
    let age = Self.end - (UTC.date(key.createdAt) ?? .distantPast).millis
    return "/\(section)/\(Self.digits(age))/\(Self.digits(.max - key.id))"
  }

  /// Later than any post, in milliseconds since 1970: what is newer has a smaller number.
  private static let end: Int64 = 1 << 52

  /// The number with as many digits as the largest has.
  private static func digits(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 19 - digits.count) + digits
  }
}

/// What a list leaves out because it is hidden.
struct HiddenLink: Encodable, Sendable {
  /// How much it is.
  let words: String
  /// The address of the list of it.
  let address: String

  /// nil if nothing is left out.
  init?(_ total: Total, of list: ListAddress) {
    guard total != .exactly(0) else { return nil }
    var list = list
    list.search = [list.search, "is:hidden"].compactMap(\.self).joined(separator: " ")
    (words, address) = ("\(total.words) hidden", "/?\(list.query)")
  }
}

extension Total {
  /// `12 posts`.
  var words: String {
    switch self {
    case .exactly(let count): NumberText.count(count, "post")
    case .moreThan(let count): "more than \(NumberText.count(count, "post"))"
    }
  }
}

extension ListAddress {
  /// The album that the list is: the filter names it, and nothing else. Such a list has the album's order.
  var album: String? {
    var list = self
    list.search = nil
    guard list == ListAddress(), case .term(let term) = (try? filter()) ?? .everything, term.key == .album,
      term.values.count == 1, case .word(let name) = term.values[0]
    else { return nil }
    return name
  }

  /// The numbers of its posts from one to another in its order, whichever comes first, and perhaps one more than `limit`.
  func members(
    from one: Int64?, to other: Int64?, atMost limit: Int, in library: Library, isOwners: Bool = false
  ) throws -> [Int64] {
    let found =
      if let album {
        try library.store.members(ofAlbum: album, from: one, to: other, atMost: limit + 1)
      } else {
        try library.store.members(
          of: list(in: library, isOwners: isOwners).listed(at: library.now()), from: one, to: other, atMost: limit + 1)
      }
    guard let found else { throw RequestError.leftList }
    return found
  }

  /// Which row of the list a post is, counted from 1; nil where that is too far to be counted, or the list is sorted.
  func position(of id: Int64, in library: Library, isOwners: Bool = false) throws -> Int? {
    if let album, let before = try library.store.count(before: id, inAlbum: album) {
      return before.exact.map { $0 + 1 }
    }
    guard let post = try library.store.post(id)?.post else { throw RequestError.noPost(id) }
    var list = try list(in: library, isOwners: isOwners)
    if let filter = list.filter?.filter, try library.store.expanded(filter).order != nil { return nil }
    let end = list.within?.end ?? .distantFuture
    // Moments are stored in milliseconds.
    let next = post.createdAt.addingTimeInterval(0.001)
    guard next < end else { return 1 }
    list.within = DateInterval(start: next, end: end)
    return try library.store.total(of: list.listed(at: library.now())).exact.map { $0 + 1 }
  }
}

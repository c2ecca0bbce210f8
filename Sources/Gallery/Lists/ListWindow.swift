import FoundationEssentials
import MediaLibrary
import Storage
import Wording

/// A window of a list: by time, or in the order of an album.
struct ListWindow: Sendable {
  let snapshot: Snapshot<ListedPost>
  /// What gives the list an order of its own; nil for one by time.
  var album: Album?

  struct Album: Sendable {
    let name: String
    /// The positions of the window's rows.
    let positions: [AlbumPosition]
  }

  init(_ snapshot: Snapshot<ListedPost>) { self.snapshot = snapshot }

  init(_ window: AlbumWindow) {
    snapshot = Snapshot(window.reading, of: PostListQuery())
    album = Album(name: window.name, positions: window.positions)
  }

  /// The position of a row, as `around` takes it.
  func position(of row: Int) -> String {
    album.map { "\($0.positions[row])" } ?? PostKey.row(of: snapshot.rows[row].post)
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

  /// Which row of the list a post is, counted from 1; nil where that is too far to be counted.
  func position(of id: Int64, in library: Library) throws -> Int? {
    if let album, let before = try library.store.count(before: id, inAlbum: album) {
      return before.exact.map { $0 + 1 }
    }
    guard let post = try library.store.post(id)?.post else { throw RequestError.noPost(id) }
    var list = try list(in: library)
    let end = list.within?.end ?? .distantFuture
    // Moments are stored in milliseconds.
    let next = post.createdAt.addingTimeInterval(0.001)
    guard next < end else { return 1 }
    list.within = DateInterval(start: next, end: end)
    return try library.store.total(of: list.listed(at: library.now())).exact.map { $0 + 1 }
  }
}

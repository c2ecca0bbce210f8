import MediaLibrary
import Storage
import Web

/// The albums and saved searches, as links beside a list. Their counts, and which there are later, are asked for once they are
/// seen (`/api/places`).
struct ListLinks: Sendable {
  /// An album or a saved search.
  struct Place: Encodable, Sendable {
    let name: String
    /// What finds its posts.
    let filter: String
    /// How many they are.
    let count: String
  }

  struct Places: Encodable, Sendable {
    let albums: [Place]
    let searches: [Place]
  }

  private var searches: [String] = []
  private var albums: [String] = []
  private var current: String?
  private var isShown = false

  /// None, for whoever may only look.
  init() {}

  /// Reads their names.
  ///
  /// - Parameter address: The list that they stand beside.
  /// - Throws: `StorageError` if they cannot be read.
  init(in store: Store, at address: ListAddress) throws(StorageError) {
    (searches, albums) = (try store.savedSearches().map(\.name), try store.albumNames())
    (current, isShown) = (address.search, true)
  }

  /// Those that there are, with the numbers of their posts.
  static func places(in library: Library) throws -> Places {
    let albums = try library.store.albumNames().map { try place(.album, $0, in: library) }
    return Places(
      albums: albums, searches: try library.store.savedSearches().map { try place(.saved, $0.name, in: library) })
  }

  private static func place(_ key: FilterKey, _ name: String, in library: Library) throws -> Place {
    let (filter, now) = (Self.filter(key, name), library.now())
    var list = PostListQuery()
    list.filter = PostFilter(filter, now: now, searchesNotes: true)
    let count = try library.store.totalIfUsable(of: list.listed(at: now))?.grouped
    return Place(name: name, filter: "\(filter)", count: count ?? "unusable")
  }

  /// A list that opens. It is hidden while there is nothing to show.
  var html: HTML {
    guard isShown else { return "" }
    let state: HTML = searches.isEmpty && albums.isEmpty ? " hidden" : ""
    return """
      <details class="places side"\(state)><summary>Albums</summary><nav aria-label="Albums and saved searches">\
      \(list("Albums", albums.map { link(.album, $0) }))\(list("Saved searches", searches.map { link(.saved, $0) }))</nav></details>
      """
  }

  private static func filter(_ key: FilterKey, _ name: String) -> Filter { .term(.init(key, [.word(name)])) }

  private func link(_ key: FilterKey, _ name: String) -> HTML {
    let filter = "\(Self.filter(key, name))"
    let isCurrent: HTML = current == filter ? " aria-current=\"page\"" : ""
    let album: HTML = key == .album ? " data-album=\"\(name)\"" : ""
    return """
      <li><a href="\(key.address(of: name))"\(isCurrent) data-place="\(filter)"\(album)><bdi>\(name)</bdi></a>\
      <span class="soft"></span></li>
      """
  }

  private func list(_ heading: HTML, _ links: [HTML]) -> HTML {
    links.isEmpty ? "" : "<h2>\(heading)</h2><ul>\(HTML.joined(links))</ul>"
  }
}

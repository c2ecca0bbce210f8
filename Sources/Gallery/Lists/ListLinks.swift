import MediaLibrary
import Storage
import Web

/// The albums and saved searches, as links beside a list. Their counts are asked for once they are seen (`/api/places`).
struct ListLinks: Sendable {
  private var searches: [String] = []
  private var albums: [String] = []
  private var current: String?

  init() {}

  /// Reads their names.
  ///
  /// - Parameter address: The list that they stand beside.
  /// - Throws: `StorageError` if they cannot be read.
  init(in store: Store, at address: ListAddress) throws(StorageError) {
    (searches, albums) = (try store.savedSearches().map(\.name), try store.albumNames())
    current = address.search
  }

  /// How many posts each has, by the text of its filter.
  static func counts(in library: Library) throws -> [String: String] {
    let now = library.now()
    let searches = try library.store.savedSearches().map { Self.filter(.saved, $0.name) }
    let albums = try library.store.albumNames().map { Self.filter(.album, $0) }
    var counts: [String: String] = [:]
    for filter in searches + albums {
      var list = PostListQuery()
      list.filter = PostFilter(filter, now: now, searchesNotes: true)
      counts["\(filter)"] = try library.store.totalIfUsable(of: list.listed(at: now))?.grouped ?? "unusable"
    }
    return counts
  }

  /// A list that opens; empty if there is nothing to show.
  var html: HTML {
    guard !searches.isEmpty || !albums.isEmpty else { return "" }
    return """
      <details class="places side"><summary>Albums</summary><nav aria-label="Albums and saved searches">\
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

import MediaLibrary
import Storage
import Web

/// The saved searches and albums, as links beside a list.
struct ListLinks: Sendable {
  var searches: [String] = []
  var albums: [(name: String, posts: Int)] = []

  init() {}

  /// Reads them.
  ///
  /// - Throws: `StorageError` if they cannot be read.
  init(in store: Store) throws(StorageError) {
    searches = try store.savedSearches().map(\.name)
    albums = try store.albums().map { (name: $0.name, posts: $0.posts) }
  }

  /// A list that opens; empty if there is nothing to show.
  var html: HTML {
    guard !searches.isEmpty || !albums.isEmpty else { return "" }
    let searches = searches.map { name -> HTML in Self.link(.saved, name, "") }
    let albums = albums.map { album -> HTML in
      Self.link(.album, album.name, " <span class=\"soft\">\(album.posts)</span>")
    }
    return """
      <details class="places"><summary>Albums</summary><nav aria-label="Albums and saved searches">\
      \(Self.list("Albums", albums))\(Self.list("Saved searches", searches))</nav></details>
      """
  }

  private static func link(_ key: FilterKey, _ name: String, _ count: HTML) -> HTML {
    "<li><a href=\"\(key.address(of: name))\"><bdi>\(name)</bdi></a>\(count)</li>"
  }

  private static func list(_ heading: HTML, _ links: [HTML]) -> HTML {
    links.isEmpty ? "" : "<h2>\(heading)</h2><ul>\(HTML.joined(links))</ul>"
  }
}

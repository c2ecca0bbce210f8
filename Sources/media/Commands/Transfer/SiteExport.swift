import Derivatives
import Storage
import Terminal
import Transfer
import Wording

/// Writes a site of a library's posts, with small pictures that are made where the cache has none.
struct SiteExport: Sendable {
  /// The site's folder.
  let path: String
  let title: String
  /// The address at which the site will be served, if any.
  let base: String?
  /// Whether the folder may hold other files.
  let force: Bool
  let library: LibraryOpener
  let derivatives: Derivatives

  /// Writes the posts of a query that may be published.
  func write(_ query: PostQuery, where takes: @Sendable (StoredPost) -> Bool) async throws -> SiteLine {
    let folder = try SiteFolder(at: path, mode: CallerUmask.fileMode, force: force)
    let store = try library.openStore(for: .reading)
    defer { store.close() }
    // Ends the picture workers with this function.
    async let _ = derivatives.run()
    let derivatives = derivatives
    let site = Site(title: title, base: base, in: folder, blobs: library.blobs) { blob in
      // Without a small picture the whole one is shown.
      try? await derivatives.file(for: blob, size: .small).bytes
    }
    return SiteLine(posts: try await site.write(query, of: store, where: takes), folder.result, path: path)
  }
}

/// What became of a site.
struct SiteLine: Encodable, Sendable {
  let format = TransferFormat.html.rawValue
  let posts, written, kept, removed, bytes: Int
  let path: String

  init(posts: Int, _ done: SiteFolder.Result, path: String) {
    (self.posts, self.path) = (posts, path)
    (written, kept, removed, bytes) = (done.written, done.kept, done.removed, done.bytes)
  }

  /// As a sentence.
  var text: SafeText {
    """
    Wrote \(posts) post\(posts == 1 ? "" : "s") to \(path): \(written) files new or changed, \(NumberText.bytes(bytes)), \
    \(kept) as they were, \(removed) removed.
    """
  }
}

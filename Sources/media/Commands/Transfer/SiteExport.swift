import Blobs
import Derivatives
import Glibc
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
  /// What takes the places out of files; nil to write files as they are.
  let stripper: Stripper?

  /// A file as it may be published: documents as they are, pictures, videos and sounds without what tells where they were
  /// taken.
  private func published(_ file: StoredAttachment, _ blob: BlobID) throws -> PublishedFile {
    guard let stripper, Stripper.cleans(file.mediaType) else { return .stored }
    let source = try library.blobs.file(of: blob, in: "/tmp")
    guard access(source.path, R_OK) == 0 else { return .stored }
    // An earlier run may have been killed.
    let copy = "\(path)/.media-clean"
    unlink(copy)
    do throws(StrippingError) {
      return try stripper.strip(source.path, to: copy) ? .copy(copy) : .stored
    } catch {
      if case .unavailable(let reason) = error {
        throw UsageError(
          "places cannot be taken out of files: \(reason)", cure: "--no-strip-location writes files as they are")
      }
      return .leftOut
    }
  }

  /// Writes the posts of a query that may be published.
  func write(_ query: PostQuery, where takes: @Sendable (StoredPost) -> Bool) async throws -> SiteLine {
    let folder = try SiteFolder(at: path, mode: CallerUmask.fileMode, force: force)
    let store = try library.openStore(for: .reading)
    defer { store.close() }
    // Ends the picture workers with this function.
    async let _ = derivatives.run()
    let derivatives = derivatives
    let site = Site(
      title: title, base: base, in: folder, blobs: library.blobs, published: { try published($0, $1) }
    ) { blob in
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
  /// The files that are left out, as they may say where they were taken.
  let leftOut: Int
  let path: String

  enum CodingKeys: String, CodingKey {
    case format, posts, written, kept, removed, bytes, path
    case leftOut = "left_out"
  }

  init(posts: Int, _ done: SiteFolder.Result, path: String) {
    (self.posts, self.path) = (posts, path)
    (written, kept, removed, bytes) = (done.written, done.kept, done.removed, done.bytes)
    leftOut = done.leftOut
  }

  /// As a sentence.
  var text: SafeText {
    """
    Wrote \(posts) post\(posts == 1 ? "" : "s") to \(path): \(written) files new or changed, \(NumberText.bytes(bytes)), \
    \(kept) as they were, \(removed) removed.\(leftOut == 0 ? "" : " \(NumberText.count(leftOut, "file")) left out, as the places cannot be taken out of them; --no-strip-location takes them.")
    """
  }
}

import Blobs
import Derivatives
import MediaLibrary
import Storage

/// Makes the small pictures of posts that arrive or change, as by a harvest, before somebody looks at them.
struct ThumbPreparation: Sendable {
  let parts: GalleryParts
  let derivatives: Derivatives

  /// Works until the library is closed or the task is cancelled. If the library cannot be read, small pictures are made
  /// when they are asked for.
  func run() async {
    do {
      for try await change in parts.library.store.changes() {
        // After a change of too much to list, they are made when they are asked for.
        guard case .posts(let numbers, _) = change, !numbers.isEmpty else { continue }
        let blobs = try await parts.read { library in try Self.pictures(of: numbers, in: library) }
        _ = await derivatives.prepare(blobs)
      }
    } catch {}
  }

  private static func pictures(of posts: Set<Int64>, in library: Library) throws -> [BlobID] {
    try library.store.posts(numbered: posts).filter { !$0.isDeleted }.flatMap(\.attachments)
      .filter { [.image, .gifv, .video].contains($0.kind) }.compactMap(\.blob)
  }
}

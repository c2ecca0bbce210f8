import Blobs
import Storage

/// A picture as people name it: `12` or, for the second file of the post, `12.2`.
struct PictureReference {
  let post: Int64
  let number: Int?

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let post = Int64(parts[0]) else { return nil }
    self.post = post
    guard parts.count == 2 else {
      number = nil
      return
    }
    guard let number = Int(parts[1]), number >= 1 else { return nil }
    self.number = number
  }

  /// The stored pictures that it means.
  func blobs(in store: Store) throws -> [BlobID] {
    guard let found = try store.post(post)?.post else { throw StorageError.unknownPosts([post]) }
    guard let number else {
      let blobs = found.attachments.filter { $0.kind == .image }.compactMap(\.blob)
      guard !blobs.isEmpty else { throw UsageError("post \(post) has no stored picture", cure: nil) }
      return blobs
    }
    guard found.attachments.indices.contains(number - 1) else {
      throw UsageError("post \(post) has no attachment \(number)", cure: nil)
    }
    guard let blob = found.attachments[number - 1].blob else {
      throw NotStored(post: post, number: number, state: found.attachments[number - 1].state)
    }
    return [blob]
  }
}

import Blobs
import Folders
import Foundation
import Posts
import Testing

@testable import Storage

struct StoredBlobTests {
  @Test func `a blob is found by its name, with the type that was detected`() throws {
    let scratch = try Scratch()
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    let store = try Store.open(library: scratch.path, for: .writing, now: now)
    defer { store.close() }
    let picture = StoredBlob(id: BlobID(hashing: [1]), byteCount: 1, mediaType: "image/png", width: 4, height: 3)
    let other = StoredBlob(id: BlobID(hashing: [2]), byteCount: 7)
    let post = Post(
      source: .manual, uri: "", createdAt: now, caption: "two",
      attachments: [Attachment(kind: .image, url: nil), Attachment(kind: .file, url: nil)])
    _ = try store.add(post, id: UUID(), pictures: [picture, other], now: now)
    #expect(try store.blob(picture.id) == picture)
    #expect(try store.blob(other.id) == other)
    #expect(try store.blob(BlobID(hashing: [3])) == nil)
  }
}

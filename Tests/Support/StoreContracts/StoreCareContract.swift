import Blobs
import Foundation
import MemoryBlobs
import Posts
import Storage

/// What `StoreCare` promises, over blobs in memory.
public enum StoreCareContract {
  private static let day: TimeInterval = 86_400

  /// Stores bytes as a blob.
  private static func keep(_ text: String, in blobs: MemoryBlobs) throws -> StoredBlob {
    let draft = try blobs.draft()
    try Array(text.utf8).withUnsafeBytes { try draft.write($0) }
    let kept = try blobs.keep([draft])[0]
    return StoredBlob(id: kept.id, byteCount: kept.byteCount)
  }

  /// A post with a stored picture.
  private static func stored(_ number: Int, in library: NewLibrary, _ blobs: MemoryBlobs) throws -> (Int64, BlobID) {
    let ids = try library.pull([post(number, pictures: 1)]).posts
    let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
    let blob = try keep("picture \(number)", in: blobs)
    try library.store.attach([(task, blob)], now: noon)
    return (ids[0], blob.id)
  }

  private static func collect(
    _ library: NewLibrary, _ blobs: MemoryBlobs, before moment: Date, dryRun: Bool = false
  ) throws -> Garbage {
    try library.other.collectGarbage(in: blobs, trash: moment, grace: moment, dryRun: dryRun) { _ in }
  }

  /// The claims.
  public static let claims = [
    StoreClaim("a picture that a post shows is no garbage") { library in
      let blobs = MemoryBlobs { noon }
      let (_, blob) = try stored(1, in: library, blobs)
      try expect(try collect(library, blobs, before: noon + 400 * day), Garbage())
      try expect(try blobs.stat(blob) == nil, false)
    },
    StoreClaim("a deleted post loses its picture after the trash period, and is fetched anew when restored") {
      library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.store.delete([id], now: noon + day)
      try expect(try collect(library, blobs, before: noon + day), Garbage())
      try expect(try collect(library, blobs, before: noon + 2 * day).trashed, 1)
      try expect(try blobs.stat(blob) == nil, true)
      try expect(try library.other.post(id)?.post.caption, "post 1")
      try library.store.restore([id], now: noon + 3 * day)
      try expect(try library.other.pictures(ofPosts: [id], now: noon + 3 * day).count, 1)
    },
    StoreClaim("a dry run counts the same and removes nothing") { library in
      let blobs = MemoryBlobs { noon }
      let (id, blob) = try stored(1, in: library, blobs)
      try library.store.delete([id], now: noon)
      let dry = try collect(library, blobs, before: noon + day, dryRun: true)
      try expect(try blobs.stat(blob) == nil, false)
      try expect(try collect(library, blobs, before: noon + day), dry)
    },
    StoreClaim("a blob that the store does not know goes after the grace period") { library in
      let blobs = MemoryBlobs { noon }
      let blob = try keep("left by a kill", in: blobs)
      try expect(try collect(library, blobs, before: noon), Garbage())
      try expect(try collect(library, blobs, before: noon + 1).orphans, 1)
      try expect(try blobs.stat(blob.id) == nil, true)
    },
    StoreClaim("an empty cache has no bytes, and trimming it removes nothing") { library in
      let blobs = MemoryBlobs { noon }
      let (_, blob) = try stored(1, in: library, blobs)
      try expect(try library.other.cacheSize(), 0)
      try expect(try library.other.trimCache(to: 0, in: blobs, dryRun: false), Garbage())
      try expect(try blobs.stat(blob) == nil, false)
    },
    StoreClaim("compaction keeps what is stored") { library in
      try library.pull([page((1...200).reversed())])
      _ = try library.store.compact(dryRun: false, upTo: .max)
      try expect(try library.other.stats().posts, 200)
    },
  ]
}

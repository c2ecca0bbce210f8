import Blobs
import Foundation
import MemoryBlobs
import Posts
import Storage
import Testing

@testable import PostFiles

/// Which files a zip has, and under which names.
struct PostZipTests {
  private func file(_ blob: BlobID?, name: String? = nil, state: PictureState = .stored) -> StoredAttachment {
    StoredAttachment(
      id: 1, kind: .image, url: nil, previewURL: nil, alt: nil, width: nil, height: nil, blurhash: nil, blob: blob,
      byteCount: nil, mediaType: "image/jpeg", state: state, failure: nil, nextTryAt: nil, name: name)
  }

  private func keep(_ bytes: [UInt8], in blobs: MemoryBlobs) throws -> BlobID {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try blobs.keep([draft])[0].id
  }

  /// The archive of posts, the paths in it, and what is said of it.
  private func archive(_ posts: [StoredPost], _ blobs: any BlobStoring, _ template: String) throws -> (
    bytes: [UInt8], result: PostZip.Result
  ) {
    var zip = PostZip(of: blobs, by: try NameTemplate(template))
    var bytes: [UInt8] = []
    for post in posts {
      zip.add(post)
      while let piece = try zip.next() { bytes += piece }
    }
    return (bytes + (try zip.end(at: .init(timeIntervalSince1970: 0))), zip.result)
  }

  /// The paths in the directory of an archive.
  private func paths(_ bytes: [UInt8]) -> [String] {
    var paths: [String] = []
    var rest = bytes[...]
    while let start = rest.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound {
      let length = Int(bytes[start + 28]) | Int(bytes[start + 29]) << 8
      paths.append(String(decoding: bytes[start + 46..<start + 46 + length], as: UTF8.self))
      rest = bytes[(start + 46 + length)...]
    }
    return paths
  }

  @Test func `what not everybody may see lies apart`() throws {
    let blobs = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    let all: [Visibility?] = [nil, .public, .unlisted, .followers, .direct, .local]
    let posts = try all.enumerated().map { index, visibility in
      samplePost(Int64(index), visibility: visibility, attachments: [file(try keep([UInt8(index)], in: blobs))])
    }
    let made = try archive(posts, blobs, "a/{id}.{ext}")
    #expect(
      paths(made.bytes) == ["a/0.jpg", "a/1.jpg", "a/2.jpg", "private/a/3.jpg", "private/a/4.jpg", "private/a/5.jpg"])
  }

  @Test func `equal names get numbers, also where only capitals differ, and equal files are there once`() throws {
    let blobs = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    let (one, other) = (try keep([1], in: blobs), try keep([2], in: blobs))
    let posts = [
      samplePost(1, title: "Cat", attachments: [file(one), file(other)]),
      samplePost(2, title: "cat", attachments: [file(one), file(other)]),
      samplePost(3, title: "CAT~2", attachments: [file(one)]),
    ]
    let made = try archive(posts, blobs, "{title}.{ext}")
    #expect(paths(made.bytes) == ["Cat.jpg", "Cat~2.jpg", "CAT~2~2.jpg"])
    #expect(made.result == .init(written: 3, same: 2, bytes: 3))
  }

  @Test func `a hostile name stays one name below the folders of the template`() throws {
    let blobs = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    let one = try keep([1], in: blobs)
    let titles = ["../../etc/passwd", "/abs", "a\\..\\b", "C:evil", "nul", ".hidden", "x\u{0}y\n", "  ", "…"]
    let posts = titles.enumerated().map { samplePost(Int64($0 + 1), title: $1, attachments: [file(one)]) }
    let found = paths(try archive(posts, blobs, "pictures/{title}/{id}.{ext}").bytes)
    #expect(found.count == titles.count)
    for path in found {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      #expect(parts.count == 3 && parts[0] == "pictures", "\(path)")
      #expect(!parts[1].hasPrefix(".") && !path.contains(where: { "\\:\0\n".contains($0) }), "\(path)")
    }
  }

  @Test func `what is not there is left out before its header, and said at the end`() throws {
    let blobs = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    let one = try keep([1, 2, 3], in: blobs)
    let posts = [
      samplePost(1, attachments: [file(BlobID(hashing: [7])), file(one), file(nil, state: .pending)])
    ]
    let made = try archive(posts, blobs, "{id}_{n}.{ext}")
    #expect(paths(made.bytes) == ["1_2.jpg", "left out.txt"])
    #expect(made.result == .init(written: 1, bytes: 3, missing: 1, lost: ["1_1.jpg"]))
    let text = String(decoding: made.bytes, as: UTF8.self)
    #expect(text.contains("Never downloaded: 1\nMissing or damaged in the library (run \"media check\"):\n1_1.jpg\n"))
  }

  @Test func `an empty choice is an empty archive`() throws {
    let made = try archive([], MemoryBlobs { Date(timeIntervalSince1970: 0) }, NameTemplate.standard)
    #expect(made.bytes.count == 22 && made.result == .init())
  }
}

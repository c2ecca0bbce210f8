import Blobs
import Foundation
import MemoryBlobs
import Posts
import Storage
import Testing

@testable import Transfer

@Suite struct WARCDocumentTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)
  private let blobs = MemoryBlobs { Self.now }

  private func kept(_ bytes: [UInt8]) throws -> BlobID {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try #require(try blobs.keep([draft]).first).id
  }

  private func picture(_ blob: BlobID?, at url: String?) -> StoredAttachment {
    StoredAttachment(
      id: 1, kind: .image, url: url, previewURL: nil, alt: nil, width: nil, height: nil, blurhash: nil, blob: blob,
      byteCount: nil, mediaType: "image/png", state: .stored, failure: nil, nextTryAt: nil, name: nil)
  }

  /// The records of a file: their heads, and their bytes. It reads no more than the lengths say.
  private func records(_ file: [UInt8]) throws -> [(head: [String: String], block: [UInt8])] {
    var (rest, records) = (file[...], [(head: [String: String], block: [UInt8])]())
    while !rest.isEmpty {
      let end = try #require(rest.firstRange(of: Array("\r\n\r\n".utf8)))
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      #expect(lines[0] == "WARC/1.1")
      let pairs = lines.dropFirst().map {
        $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      let head = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
      let count = try #require(head["Content-Length"].flatMap { Int($0) })
      records.append((head, Array(rest[end.upperBound...].prefix(count))))
      rest = rest[end.upperBound...].dropFirst(count)
      #expect(rest.starts(with: Array("\r\n\r\n".utf8)))
      rest = rest.dropFirst(4)
    }
    return records
  }

  private func written(_ posts: [(StoredPost, [UInt8]?)]) throws -> [UInt8] {
    var document = WARCDocument(of: blobs, software: "media/0.1.0", now: Self.now)
    var file = document.head
    for (post, raw) in posts { try document.add(post, raw: raw) { file += $0 } }
    return file
  }

  @Test func `a picture is a resource at its address, and a post's answer is metadata of its page`() throws {
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    let blob = try kept(bytes)
    let raw = Array(#"{"id":"1"}"#.utf8)
    let post = samplePost(1, attachments: [picture(blob, at: "https://photos.example/1.png")])
    let records = try records(try written([(post, raw)]))
    #expect(records.map { $0.head["WARC-Type"] } == ["warcinfo", "resource", "metadata"])
    #expect(records[1].block == bytes && records[2].block == raw)
    #expect(records[1].head["WARC-Target-URI"] == "https://photos.example/1.png")
    #expect(records[1].head["Content-Type"] == "image/png")
    #expect(records[1].head["WARC-Payload-Digest"] == "sha256:\(WARCRecord.base32(blob.hex))")
    #expect(records[2].head["WARC-Target-URI"] == "https://photos.example/posts/1")
    #expect(records[2].head["Content-Type"] == "application/json")
    #expect(records[0].head["WARC-Date"] == "2026-01-01T00:00:00.000Z")
  }

  @Test func `an address has one record, and what has none or is not stored is left out`() throws {
    let blob = try kept([1])
    let shown = picture(blob, at: "https://photos.example/1.png")
    let posts = [
      samplePost(1, attachments: [shown, shown]), samplePost(2, attachments: [shown]),
      samplePost(3, attachments: [picture(blob, at: nil), picture(nil, at: "https://photos.example/2.png")]),
      samplePost(4, attachments: [picture(blob, at: "https://photos.example/a\r\nWARC-Type: response")]),
    ]
    let records = try records(try written(posts.map { ($0, nil) }))
    #expect(records.map { $0.head["WARC-Type"] } == ["warcinfo", "resource"])
  }

  @Test func `the same posts are the same file, and no two records have one identity`() throws {
    let blob = try kept([1, 2])
    let posts = (1...5).map { index -> (StoredPost, [UInt8]?) in
      (samplePost(Int64(index), attachments: [picture(blob, at: "https://photos.example/\(index).png")]), [0x7B, 0x7D])
    }
    let file = try written(posts)
    #expect(file == (try written(posts)))
    let identities = try records(file).compactMap { $0.head["WARC-Record-ID"] }
    #expect(Set(identities).count == 11)
    #expect(identities.allSatisfy { $0.wholeMatch(of: /<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>/) != nil })
  }

  @Test(arguments: [
    ("", ""), ("66", "MY======"), ("666f", "MZXQ===="), ("666f6f", "MZXW6==="), ("666f6f62", "MZXW6YQ="),
    ("666f6f6261", "MZXW6YTB"), ("666f6f626172", "MZXW6YTBOI======"),
  ])
  func `base 32 is that of its RFC`(hex: String, text: String) { #expect(WARCRecord.base32(hex) == text) }
}

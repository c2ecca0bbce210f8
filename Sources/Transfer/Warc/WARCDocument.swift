import Blobs
import FeedDocuments
import FoundationEssentials
import Storage

/// Posts as a WARC file, for web archives: each stored picture at its address, and what a server said of each post.
///
/// A library keeps bodies, not the heads of answers. So pictures are `resource` records and posts are `metadata` records;
/// `response` records would claim heads that nobody saw.
package struct WARCDocument {
  private let blobs: any BlobStoring
  /// Hashes of the addresses that have a record. Several posts may show one picture.
  private var known: Set<Int> = []

  /// The first record, which says what the file is.
  package let head: [UInt8]

  /// A file of posts.
  ///
  /// - Parameters:
  ///   - blobs: The library's blobs.
  ///   - software: The program and its version.
  ///   - now: The date of the file.
  package init(of blobs: any BlobStoring, software: String, now: Date) {
    self.blobs = blobs
    head = Self.head(software: software, now: now)
  }

  /// The record that says what a file is.
  static func head(software: String, now: Date) -> [UInt8] {
    let facts = Array(
      """
      software: \(software)\r
      format: WARC File Format 1.1\r
      conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r

      """.utf8)
    let record = WARCRecord(
      kind: .warcinfo, address: nil, date: now, contentType: "application/warc-fields",
      digest: BlobID(hashing: facts), byteCount: facts.count)
    return record.head + facts + WARCRecord.tail
  }

  /// Writes the records of a post.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - raw: What its server said of it; nil if nothing is stored.
  ///   - write: Receives the bytes, in order.
  /// - Returns: Whether it has any. A post made by hand has no address, and so none.
  /// - Throws: What `write` throws, or `BlobError`.
  @discardableResult package mutating func add(
    _ post: StoredPost, raw: [UInt8]?, write: ([UInt8]) throws -> Void
  ) throws -> Bool {
    var hasAny = false
    for file in post.attachments {
      guard let blob = file.blob, let address = FeedItem.webAddress(file.url), isNew(address),
        let info = try blobs.stat(blob)
      else { continue }
      let record = WARCRecord(
        kind: .resource, address: address, date: info.storedAt, contentType: FeedItem.mediaType(of: file),
        digest: blob, byteCount: info.byteCount)
      try write(record.head)
      var offset = 0
      while case let piece = try blobs.fetch(blob, offset..<offset + (1 << 20)), !piece.isEmpty {
        try write(piece)
        offset += piece.count
      }
      guard offset == info.byteCount else {
        throw BlobError.io(location: blob.path, reason: "it has \(offset) bytes instead of \(info.byteCount)")
      }
      try write(WARCRecord.tail)
      hasAny = true
    }
    guard let raw, let address = FeedItem.webAddress(post.url) ?? FeedItem.webAddress(post.uri) else { return hasAny }
    let record = WARCRecord(
      kind: .metadata, address: address, date: post.updatedAt, contentType: Self.type(of: raw),
      digest: BlobID(hashing: raw), byteCount: raw.count)
    try write(record.head + raw + WARCRecord.tail)
    return true
  }

  private mutating func isNew(_ address: String) -> Bool { known.insert(address.hashValue).inserted }

  private static func type(of raw: [UInt8]) -> String {
    switch raw.first {
    case UInt8(ascii: "{"): "application/json"
    case UInt8(ascii: "<"): "application/xml"
    default: "application/octet-stream"
    }
  }
}

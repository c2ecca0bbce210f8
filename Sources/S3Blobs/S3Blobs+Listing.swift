import Blobs
import FoundationEssentials
import HTTP
import Machine

/// One page of a bucket's list.
struct S3Listing {
  struct Entry {
    let key: String
    let byteCount: Int
    let modifiedAt: Date
    /// The service's name for the content: it differs whenever the content does.
    let tag: String
  }

  let entries: [Entry]
  let isCut: Bool
  /// When the service answered, by its own clock.
  let time: ServiceTime

  /// The blobs in it, with their renewals. Anything else is left out.
  func blobs(at address: S3Address) -> [BlobInfo] {
    var (blobs, blob): ([BlobInfo], (id: BlobID, entry: Entry)?) = ([], nil)
    let end = { (renewal: Entry?) in
      if let blob { blobs.append(Self.info(blob.id, blob.entry, renewal)) }
      blob = nil
    }
    for entry in entries {
      guard let (id, isRenewal) = address.name(ofKey: entry.key) else { continue }
      if isRenewal {
        if blob?.id == id { end(entry) }
      } else {
        end(nil)
        blob = (id, entry)
      }
    }
    end(nil)
    return blobs
  }

  private static func info(_ id: BlobID, _ entry: Entry, _ renewal: Entry?) -> BlobInfo {
    let time = max(entry.modifiedAt, renewal?.modifiedAt ?? entry.modifiedAt)
    return BlobInfo(
      id: id, byteCount: entry.byteCount, storedAt: time,
      version: "\(UTC.text(entry.modifiedAt)) \(entry.tag) \(renewal?.tag ?? "")")
  }
}

extension S3Blobs {
  /// The maximum number of keys that a service lists at once.
  private static let mostKeys = 1000

  /// Lists keys, ordered by their bytes.
  func listing(prefix: String, after last: String?, most: Int) throws(BlobError) -> S3Listing {
    var call = S3Call(
      .get, nil,
      [
        ("encoding-type", "url"), ("list-type", "2"), ("max-keys", String(min(most, Self.mostKeys))),
        ("prefix", prefix),
      ])
    if let last { call.query.append(("start-after", last)) }
    let answer = try client.send(call)
    let document = S3Document(answer.body)
    guard let isCut = document.value("IsTruncated") else {
      throw .service(
        BlobServiceFault(
          .misconfigured, location: location, reason: "what answers is no S3 service", cure: "check AWS_ENDPOINT_URL_S3"
        ))
    }
    let isEncoded = document.value("EncodingType") == "url"
    let entries = document.elements("Contents").compactMap { S3Listing.Entry($0, isEncoded: isEncoded) }
    return S3Listing(entries: entries, isCut: isCut == "true", time: client.time(of: answer))
  }

  /// Calls `body` with every key that begins so, in their order.
  func eachKey(prefix: String, _ body: (S3Listing.Entry, ServiceTime) throws -> Void) throws {
    var last: String?
    while true {
      let page = try listing(prefix: prefix, after: last, most: Self.mostKeys)
      for entry in page.entries { try body(entry, page.time) }
      guard page.isCut, let end = page.entries.last?.key else { return }
      last = end
    }
  }

  /// The next blobs, each with its renewal. A renewal's key follows its blob's.
  public func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo] {
    var last = last.map(address.renewalKey)
    while true {
      let page = try listing(prefix: address.blobs, after: last, most: 2 * limit + 1)
      var blobs = page.blobs(at: address)
      // The renewal of the last one may be on the next page.
      let isOpen = page.isCut && page.entries.last.map { blobs.last.map { address.key($0.id) } == $0.key } ?? false
      if isOpen, blobs.count > 1 {
        blobs.removeLast()
      } else if isOpen, let only = blobs.popLast() {
        if let blob = try stat(only.id) { blobs.append(blob) }
      }
      if !blobs.isEmpty || !page.isCut { return Array(blobs.prefix(limit)) }
      guard let end = page.entries.last?.key else { return [] }
      last = end
    }
  }
}

extension S3Listing.Entry {
  /// Nil if the service's answer lacks something.
  fileprivate init?(_ document: S3Document, isEncoded: Bool) {
    guard let key = document.value("Key"), let count = document.value("Size").flatMap({ Int($0) }), count >= 0,
      let date = document.value("LastModified").flatMap(UTC.date)
    else { return nil }
    let plain = isEncoded ? Request.parameter("k", of: "?k=\(key)") ?? key : key
    self.init(key: plain, byteCount: count, modifiedAt: date, tag: document.value("ETag") ?? "")
  }
}

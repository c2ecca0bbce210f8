import Blobs
import FoundationEssentials
import HTTP

// What is stored again is not removed, without a lock.
//
// Whoever removes announces it, then looks at the blob's version, then removes it. Whoever stores writes the bytes or a new
// version, then looks at the announcements. Services show what was written to whoever asks next. So either the remover sees
// the new version and desists, or the writer sees the announcement, waits for its end and stores once more.
//
// The request that removes carries its own end: the service refuses it when it comes later, by the service's clock. So an
// announcement whose remover died means nothing after that time.

extension S3Blobs {
  /// Removes a blob unless it was stored again.
  public func remove(_ blob: BlobInfo) throws(BlobError) -> Bool {
    try removing(blob.id) { (begin) throws(BlobError) in
      guard try stat(blob.id)?.version == blob.version else { return false }
      // Bytes that are stored in the same second have another version then.
      try renew(blob.id)
      try removeBytes(blob.id, begin)
      return true
    }
  }

  /// Announces a removal, and takes the announcement back when `body` is done.
  ///
  /// If `body` throws, the announcement stays until it expires: a request may be under way.
  func removing(_ id: BlobID, _ body: (ServiceTime) throws(BlobError) -> Bool) throws(BlobError) -> Bool {
    let key = "\(address.removals)\(id.hex).\(nonce())"
    let begin = client.time(of: try client.send(S3Call(.put, key)))
    let isRemoved = try body(begin)
    if isRemoved { cache.drop(id) }
    _ = try? client.send(S3Call(.delete, key), accepting: [404])
    return isRemoved
  }

  /// Removes the bytes, within the announced time.
  func removeBytes(_ id: BlobID, _ begin: ServiceTime) throws(BlobError) {
    var call = S3Call(.delete, address.key(id))
    call.lease = (limits.removal, begin)
    let answer = try client.send(call, accepting: [403, 404])
    guard answer.status == 403 else { return }
    let text = String(decoding: answer.body.prefix(4096), as: UTF8.self).lowercased()
    guard text.contains("expired") else { throw .readOnly(location: location) }
    throw .service(
      BlobServiceFault(
        .unavailable, location: location, reason: "removing \(id.path) took longer than \(limits.removal) seconds",
        cure: "try again later"))
  }

  /// The removals that are announced and may still happen: for each blob the latest, and its key.
  func removals() throws(BlobError) -> [BlobID: String] {
    var removals: [BlobID: String] = [:]
    var last: String?
    while true {
      let page = try listing(prefix: address.removals, after: last, most: 1000)
      for entry in page.entries where !isExpired(entry, page.time) {
        if let id = removedBlob(entry.key) { removals[id] = entry.key }
      }
      guard page.isCut, let end = page.entries.last?.key else { return removals }
      last = end
    }
  }

  /// Waits until nobody removes the blob.
  func waitForRemovals(of id: BlobID) throws(BlobError) {
    var wait = Duration.milliseconds(20)
    while true {
      let page = try listing(prefix: "\(address.removals)\(id.hex).", after: nil, most: 1000)
      if page.entries.allSatisfy({ isExpired($0, page.time) }) { return }
      client.time.pause(wait)
      wait = min(wait * 2, .seconds(1))
    }
  }

  private func removedBlob(_ key: String) -> BlobID? {
    BlobID(String(key.dropFirst(address.removals.count).prefix(64)))
  }

  /// Both times are the service's.
  func isExpired(_ entry: S3Listing.Entry, _ now: ServiceTime) -> Bool {
    now.date.timeIntervalSince(entry.modifiedAt) > TimeInterval(limits.removal + limits.margin)
  }
}

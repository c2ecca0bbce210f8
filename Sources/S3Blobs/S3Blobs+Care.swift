import Blobs
import FoundationEssentials
import HTTP

extension S3Blobs {
  /// Whether the bucket can be listed.
  public var isThere: Bool { (try? listing(prefix: address.blobs, after: nil, most: 1)) != nil }

  /// Reads the bytes from the service, whatever is cached.
  public func condition(of id: BlobID, byteCount: Int?) -> BlobCondition {
    do throws(BlobError) {
      var call = S3Call(.get, address.key(id))
      call.limit = .max
      guard let sink = HashSink() else { return .withheld("SHA-256 is not available") }
      let answer = try client.send(call, accepting: [404], to: sink)
      if answer.status == 404 {
        let error = try missing(id, answer)
        guard case .missing = error else { throw error }
        return .missing
      }
      let (found, count) = sink.end()
      if let byteCount, byteCount != count { return .wrongLength(count) }
      return found == id ? .good : .wrongBytes
    } catch {
      return error.condition
    }
  }

  /// Keys within `blobs/` that are no blobs, and uploads in parts that were not ended for a day.
  public func eachResidue(_ body: (BlobResidue) throws -> Void) throws {
    try eachKey(prefix: address.blobs) { entry, _ in
      if address.name(ofKey: entry.key) != nil { return }
      try body(BlobResidue(.foreign, name: name(ofKey: entry.key), byteCount: entry.byteCount))
    }
    for upload in try staleUploads() {
      try body(BlobResidue(.leftover, name: name(ofKey: upload.key), byteCount: 0))
    }
  }

  private func name(ofKey key: String) -> String {
    address.prefix.isEmpty ? key : String(key.dropFirst(address.prefix.count + 1))
  }

  /// Ends uploads in parts that were begun a day ago, and removes what removals left behind.
  @discardableResult
  public func removeLeftovers() throws(BlobError) -> Int {
    do {
      var removed = 0
      for upload in try staleUploads() {
        try abort(upload)
        removed += 1
      }
      var old: [String] = []
      try eachKey(prefix: address.removals) { entry, now in
        if isOld(entry, now) { old.append(entry.key) }
      }
      var blob: BlobID?
      try eachKey(prefix: address.blobs) { entry, now in
        guard let (id, isRenewal) = address.name(ofKey: entry.key) else { return }
        if !isRenewal { blob = id } else if blob != id, isOld(entry, now) { old.append(entry.key) }
      }
      for key in old { _ = try client.send(S3Call(.delete, key), accepting: [404]) }
      return removed
    } catch {
      if case .readOnly? = error as? BlobError { return 0 }
      throw error as? BlobError ?? .io(location: location, reason: "\(error)")
    }
  }

  private func isOld(_ entry: S3Listing.Entry, _ now: ServiceTime) -> Bool {
    now.date.timeIntervalSince(entry.modifiedAt) > limits.leftover
  }

  // MARK: Quarantine

  /// Has the service copy the blob to `quarantine/`, then removes it.
  @discardableResult
  public func quarantine(_ id: BlobID) throws(BlobError) -> Bool {
    guard try copyToQuarantine(address.key(id)) else { return false }
    return try removing(id) { (begin) throws(BlobError) in
      try renew(id)
      try removeBytes(id, begin)
      return true
    }
  }

  /// Has the service move what is not a blob to `quarantine/`. An upload in parts has nothing to move.
  @discardableResult
  public func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool {
    let key = address.key(residue.name)
    guard residue.kind == .foreign, address.name(ofKey: key) == nil, try copyToQuarantine(key) else { return false }
    _ = try client.send(S3Call(.delete, key), accepting: [404])
    return true
  }

  /// Never replaces what is there. Returns false if there is no such object.
  private func copyToQuarantine(_ key: String) throws(BlobError) -> Bool {
    let stem = name(ofKey: key).split(separator: "/").dropFirst().joined(separator: "-")
    let source = SignatureV4.path("\(address.bucket)/\(key)")
    var call = S3Call(.put, address.key("quarantine/\(stem).\(nonce())"), fields: [("x-amz-copy-source", source)])
    call.mayFailLate = true
    let answer = try client.send(call, accepting: [404])
    if answer.status != 404 { return true }
    let fault = S3Fault(answer)
    if fault.code == "NoSuchBucket" { throw fault.error(at: address, region: "", isWriting: true) }
    return false
  }

  /// Writes the line to an object of its own below `quarantine/rows/`: objects cannot grow.
  public func appendToQuarantine(_ line: String) throws(BlobError) {
    var call = S3Call(
      .put, address.key("quarantine/rows/\(Int(client.time.now().timeIntervalSince1970))-\(nonce()).jsonl"))
    call.body = Array("\(line)\n".utf8)
    _ = try client.send(call)
  }
}

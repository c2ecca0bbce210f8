import Blobs
import FoundationEssentials
import HTTP
import Machine

extension S3Blobs {
  /// An upload in parts.
  struct Parts {
    let key: String
    let id: String
  }

  /// Sends a draft's bytes to a key.
  ///
  /// - Parameter isConditional: Whether stored bytes stay as they are.
  /// - Returns: False if there are bytes under the name, which stayed.
  func upload(
    _ draft: S3Draft, _ id: BlobID, to key: String, byteCount: Int, isConditional: Bool
  ) throws(BlobError) -> Bool {
    if byteCount > limits.longestWhole {
      return try uploadInParts(draft, id, to: key, byteCount: byteCount, isConditional: isConditional)
    }
    var call = S3Call(.put, key)
    call.fields = [("x-amz-checksum-sha256", Digest.base64(id.bytes))] + Self.condition(isConditional)
    let spool = draft.spool
    call.upload = (Upload(byteCount: byteCount) { try? spool.fetch($0..<$0 + $1) }, id.hex)
    return try client.send(call, accepting: isConditional ? [412] : []).status != 412
  }

  private static func condition(_ isConditional: Bool) -> [(String, String)] {
    isConditional ? [("if-none-match", "*")] : []
  }

  /// If the answer to the request that completes an upload is lost, the next one finds no upload: the bytes may be there. If
  /// they are not known to be, they are sent once more.
  private func uploadInParts(
    _ draft: S3Draft, _ id: BlobID, to key: String, byteCount: Int, isConditional: Bool
  ) throws(BlobError) -> Bool {
    for _ in 0..<2 {
      if let isNew = try uploadOnce(draft, to: key, byteCount: byteCount, isConditional) { return isNew }
      if isConditional, try isStored(id) { return false }
    }
    throw .service(
      BlobServiceFault(
        .unavailable, location: location, reason: "the service forgets uploads in parts", cure: "try again later"))
  }

  /// Each part is verified by the service. A failure ends the upload.
  ///
  /// - Returns: False if there are bytes under the name, which stayed; nil if the service knows nothing of the upload at its
  ///   end.
  private func uploadOnce(
    _ draft: S3Draft, to key: String, byteCount: Int, _ isConditional: Bool
  ) throws(BlobError) -> Bool? {
    let begun = try client.send(S3Call(.post, key, [("uploads", "")]))
    guard let name = S3Document(begun.body).value("UploadId") else {
      throw .io(location: location, reason: "the service begins no upload in parts")
    }
    let parts = Parts(key: key, id: name)
    do throws(BlobError) {
      return try complete(parts, try send(draft, byteCount, in: parts), isConditional)
    } catch {
      try? abort(parts)
      throw error
    }
  }

  /// Returns the service's names of the parts.
  private func send(_ draft: S3Draft, _ byteCount: Int, in parts: Parts) throws(BlobError) -> [String] {
    // Ten thousand parts are the most.
    let size = max(limits.part, (byteCount + 9_999) / 10_000)
    var tags: [String] = []
    for start in stride(from: 0, to: byteCount, by: size) {
      var call = S3Call(.put, parts.key, [("partNumber", "\(tags.count + 1)"), ("uploadId", parts.id)])
      call.body = try draft.fetch(start..<min(start + size, byteCount))
      let answer = try client.send(call)
      guard let tag = answer.headers["ETag"] else { throw .io(location: location, reason: "a part has no name") }
      tags.append(tag)
    }
    return tags
  }

  /// Returns false if there are bytes under the name, which stayed, and nil if there is no such upload.
  private func complete(_ parts: Parts, _ tags: [String], _ isConditional: Bool) throws(BlobError) -> Bool? {
    var call = S3Call(.post, parts.key, [("uploadId", parts.id)], fields: Self.condition(isConditional))
    let list = tags.enumerated().map { number, tag in
      "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag.replacing("\"", with: "&quot;"))</ETag></Part>"
    }
    call.body = Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8)
    (call.patience, call.mayFailLate) = (.seconds(300), true)
    let answer = try client.send(call, accepting: isConditional ? [404, 412] : [404])
    if answer.status == 412 {
      try abort(parts)
      return false
    }
    if S3Document(answer.body).value("ETag") != nil { return true }
    let fault = S3Fault(answer)
    if fault.code == "NoSuchUpload" { return nil }
    throw fault.error(at: address, region: "", isWriting: true)
  }

  /// Ends an upload in parts, whose parts the service forgets.
  func abort(_ parts: Parts) throws(BlobError) {
    _ = try client.send(S3Call(.delete, parts.key, [("uploadId", parts.id)]), accepting: [404])
  }

  /// Uploads in parts that were begun a day ago: no process lives that would end them.
  func staleUploads() throws(BlobError) -> [Parts] {
    let answer = try client.send(
      S3Call(.get, nil, [("prefix", address.blobs), ("uploads", "")]), accepting: [403, 404, 501])
    // A service may have no such list.
    guard answer.status == 200 else { return [] }
    let now = client.time(of: answer).date
    return S3Document(answer.body).elements("Upload").compactMap { upload in
      guard let key = upload.value("Key"), let id = upload.value("UploadId"), key.hasPrefix(address.blobs),
        let begun = upload.value("Initiated").flatMap(UTC.date), now.timeIntervalSince(begun) > limits.leftover
      else { return nil }
      return Parts(key: key, id: id)
    }
  }
}

extension BlobID {
  /// The 32 bytes of the hash.
  var bytes: [UInt8] {
    let digits = hex.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

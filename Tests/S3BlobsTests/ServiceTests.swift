import Blobs
import Foundation
import HTTP
import PropertyTesting
import S3Server
import Synchronization
import Testing

@testable import S3Blobs

/// What a store does with a real service, beyond what every store does.
@Suite struct ServiceTests {
  @Test func `a blob lies under its name, with a checksum that the service verified`() throws {
    let bucket = try TestBucket()
    let asked = Mutex<[Request]>([])
    let id = try bucket.store { request in asked.withLock { $0.append(request) } }.keep([1, 2, 3]).id
    let answer = try bucket.server.send(.get, "/\(bucket.address.bucket)/p/\(id.path)", as: .reader)
    #expect(answer.status == 200 && answer.body == [1, 2, 3])
    let put = try #require(asked.withLock { $0.first { $0.url.hasSuffix(id.path) && $0.method == .put } })
    #expect(put.headers["x-amz-content-sha256"] == id.hex && put.headers["if-none-match"] == "*")
    #expect(put.headers["x-amz-checksum-sha256"] == Data(id.bytes).base64EncodedString())
    let store = bucket.store()
    var call = S3Call(.put, "p/wrong", fields: [("x-amz-checksum-sha256", Digest.base64(id.bytes))])
    call.body = [1, 2, 4]
    #expect(try store.client.send(call, accepting: [400]).status == 400)
  }

  @Test func `a long blob is sent in parts, whole, once, and leaves no parts behind`() throws {
    let bucket = try TestBucket()
    var limits = S3Limits()
    (limits.longestWhole, limits.part) = (6 << 20, 5 << 20)
    let parts = Mutex(0)
    let store = bucket.store(limits: limits) { request in
      if request.url.contains("partNumber") { parts.withLock { $0 += 1 } }
    }
    var dice = Dice(state: 7)
    let bytes = (0..<(12 << 20) / 8).flatMap { _ in withUnsafeBytes(of: dice.next()) { Array($0) } }
    let kept = try store.keep(bytes)
    #expect(!kept.wasStored && parts.withLock(\.self) == 3)
    #expect(store.condition(of: kept.id, byteCount: bytes.count) == .good)
    #expect(try store.fetch(kept.id, 10_000_000..<10_000_100) == Array(bytes[10_000_000..<10_000_100]))
    #expect(try store.keep(bytes).wasStored && parts.withLock(\.self) == 3)
    limits.leftover = -10
    #expect(try bucket.store(limits: limits).staleUploads().isEmpty)
  }

  /// The service knows no upload any more that it has completed.
  @Test func `a long blob whose upload is completed while the connection ends is stored, whole`() throws {
    let bucket = try TestBucket()
    var limits = S3Limits()
    (limits.longestWhole, limits.part) = (6 << 20, 5 << 20)
    let lost = Mutex(0)
    let store = bucket.store(
      limits: limits,
      losesAnswer: { request in
        guard request.method == .post, request.url.contains("uploadId") else { return false }
        return lost.withLock { count in
          count += 1
          return count == 1
        }
      })
    let bytes = Array(repeating: UInt8(7), count: 7 << 20)
    let id = try store.keep(bytes).id
    #expect(lost.withLock(\.self) > 1)
    #expect(bucket.store().condition(of: id, byteCount: bytes.count) == .good)
    // One that replaces another, as the store of a backup does, is sent whole again.
    lost.withLock { $0 = 0 }
    let draft = S3Draft(try store.cache.draft())
    try bytes.withUnsafeBytes { try draft.write($0) }
    try draft.finish()
    #expect(try store.upload(draft, id, to: "p/other", byteCount: bytes.count, isConditional: false))
    #expect(try bucket.store().file(named: "other", limit: 8 << 20) == bytes)
    limits.leftover = -10
    #expect(try bucket.store(limits: limits).staleUploads().isEmpty)
  }

  @Test func `an upload in parts that was cut off is ended later`() throws {
    let bucket = try TestBucket()
    let store = bucket.store()
    let id = try store.keep([1]).id
    _ = try store.client.send(S3Call(.post, bucket.address.key(BlobID(hashing: [2])), [("uploads", "")]))
    #expect(try store.removeLeftovers() == 0)
    var limits = S3Limits()
    limits.leftover = -10
    let later = bucket.store(limits: limits)
    #expect(try later.staleUploads().count == 1)
    #expect(try later.removeLeftovers() == 1)
    #expect(try later.staleUploads().isEmpty)
    #expect(try later.read(id) == [1])
  }

  @Test func `what others put between the blobs is residue, and can be moved away`() throws {
    let bucket = try TestBucket()
    let store = bucket.store()
    let id = try store.keep([1]).id
    _ = try bucket.server.send(.put, "/\(bucket.address.bucket)/p/blobs/notes.txt", as: .owner, body: [65])
    var residue: [BlobResidue] = []
    try store.eachResidue { residue.append($0) }
    #expect(residue == [BlobResidue(.foreign, name: "blobs/notes.txt", byteCount: 1)])
    #expect(try store.quarantine(residue[0]) && !store.quarantine(residue[0]))
    try store.eachResidue { Issue.record("\($0)") }
    #expect(try store.page(after: nil, limit: 9).map(\.id) == [id])
  }

  @Test func `damaged bytes are noticed, and stored bytes replace shorter ones`() throws {
    let bucket = try TestBucket()
    let store = bucket.store(cacheLimit: 1 << 20)
    let id = try store.keep([1, 2, 3]).id
    let key = "/\(bucket.address.bucket)/p/\(id.path)"
    _ = try bucket.server.send(.put, key, as: .owner, body: [1, 2, 4])
    #expect(store.condition(of: id) == .wrongBytes)
    #expect(throws: BlobError.self) { try bucket.store(cacheLimit: 1 << 20).read(id) }
    _ = try bucket.server.send(.put, key, as: .owner, body: [1])
    #expect(store.condition(of: id, byteCount: 3) == .wrongLength(1))
    _ = try bucket.store().keep([1, 2, 3])
    #expect(store.condition(of: id) == .good)
  }

  @Test func `a bucket, a key and a service that are not there are said`() throws {
    let bucket = try TestBucket()
    let none = S3Blobs(
      try #require(S3Address("s3://nowhere")), bucket.server.configuration(),
      bucket.server.environment(in: bucket.scratch.path))
    let fault = { (body: () throws -> Void) throws -> BlobServiceFault.Kind in
      let error = try #require(throws: BlobError.self) { try body() }
      guard case .service(let fault) = error else { throw error }
      return fault.kind
    }
    #expect(try fault { _ = try none.draft() } == .misconfigured)
    #expect(try fault { _ = try none.stat(BlobID(hashing: [])) } == .misconfigured)
    #expect(try fault { _ = try none.read(BlobID(hashing: [])) } == .misconfigured)
    #expect(!none.isThere && none.condition(of: BlobID(hashing: [])) == .withheld("there is no bucket nowhere"))
    var stranger = bucket.server.configuration()
    stranger.credentials.accessKey = "stranger"
    let environment = bucket.server.environment(in: bucket.scratch.path)
    #expect(try fault { _ = try S3Blobs(bucket.address, stranger, environment).draft() } == .refused)
    stranger = bucket.server.configuration()
    stranger.credentials.secretKey = Secret("wrong")
    #expect(try fault { _ = try S3Blobs(bucket.address, stranger, environment).draft() } == .refused)
  }

  @Test func `without keys a store opens, and whatever asks the service says what to set`() throws {
    let bucket = try TestBucket()
    let store = try BlobAddress("\(bucket.address)").open { bucket.server.environment(in: bucket.scratch.path) }
    for body in [
      { _ = try store.draft() }, { _ = try store.stat(BlobID(hashing: [])) }, { _ = try store.removeLeftovers() },
    ] {
      let error = try #require(throws: BlobError.self) { try body() }
      guard case .service(let fault) = error else { throw error }
      #expect(fault.kind == .misconfigured && fault.reason == "no key for the S3 service is known")
      #expect(fault.cure.contains("AWS_ACCESS_KEY_ID") && fault.location == "\(bucket.address)")
    }
    #expect(store.condition(of: BlobID(hashing: [])) == .withheld("no key for the S3 service is known"))
  }

  @Test func `an address that expires reads one blob without a key`() throws {
    let bucket = try TestBucket()
    let store = bucket.store()
    let id = try store.keep([1, 2, 3]).id
    let client = bucket.server.environment(in: bucket.scratch.path).client
    let address = try store.client.readingAddress(ofKey: bucket.address.key(id), for: 60)
    #expect(try client.send(Request(.get, address), nil).body == [1, 2, 3])
    #expect(try client.send(Request(.get, address.replacing("Expires=60", with: "Expires=61")), nil).status == 403)
  }
}

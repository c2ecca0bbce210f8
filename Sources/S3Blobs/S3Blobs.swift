import Blobs
import FoundationEssentials
import HTTP

// Blobs as objects of a bucket. A service has no locks, so what stands between keeping and removing is an order of requests:
// docs/decisions/blobs-in-s3.md.

/// The blobs of a library at `PREFIX/blobs/ab/…` in an S3 service.
///
/// The service must show what was written to whoever asks next, as Amazon S3, R2, MinIO, Garage, Ceph and SeaweedFS do.
public struct S3Blobs: BlobStoring {
  /// The number of requests under way at once for one batch.
  static let lanes = 16

  /// Where the store is.
  public let address: S3Address
  let client: S3Client
  let cache: BlobCache
  let lanes: Lanes
  let limits: S3Limits
  private let abilities = S3Abilities()

  /// The store at an address. Nothing is asked yet.
  public init(_ address: S3Address, _ configuration: S3Configuration, _ environment: S3Environment) {
    self.init(address, environment) { configuration }
  }

  /// The store at an address, with the keys of the environment's variables. They are looked for by the first request.
  public init(_ address: S3Address, _ environment: S3Environment) {
    self.init(address, environment) { () throws(S3ConfigurationError) in
      try S3Configuration(environment: environment.variables)
    }
  }

  init(
    _ address: S3Address, _ environment: S3Environment, limits: S3Limits = S3Limits(),
    _ configure: @escaping @Sendable () throws(S3ConfigurationError) -> S3Configuration
  ) {
    (self.address, self.limits) = (address, limits)
    client = S3Client(address, configure, environment.client, environment.time)
    cache = BlobCache(folder: environment.folder, limit: environment.cacheLimit)
    lanes = Lanes(Self.lanes)
  }

  /// Creates a draft in a file of this machine: its name is known only at its end. The first one finds out whether the
  /// store may be written.
  public func draft() throws(BlobError) -> any BlobReceiving {
    _ = try hasConditionalPut()
    return S3Draft(try cache.draft())
  }

  func hasConditionalPut() throws(BlobError) -> Bool { try abilities.hasConditionalPut(client) }

  /// Sends all drafts at once, then looks whether somebody is removing one of them.
  public func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept] {
    var own: [(draft: S3Draft, id: BlobID, byteCount: Int)] = []
    var first: [BlobID: S3Draft] = [:]
    for draft in drafts {
      guard let draft = draft as? S3Draft else { throw .io(location: location, reason: "a draft is another store's") }
      let (id, byteCount) = try draft.finish()
      own.append((draft, id, byteCount))
      if first[id] == nil { first[id] = draft }
    }
    let stored = try send(first)
    var seen: Set<BlobID> = []
    let kept = own.map { draft, id, byteCount in
      Kept(id: id, byteCount: byteCount, wasStored: !seen.insert(id).inserted || stored[id] == true)
    }
    for (id, draft) in first { cache.take(draft.spool, id) }
    for draft in own { draft.draft.discard() }
    return kept
  }

  /// Returns which of them were stored before.
  private func send(_ drafts: [BlobID: S3Draft]) throws(BlobError) -> [BlobID: Bool] {
    var stored: [BlobID: Bool] = [:]
    var waiting = Array(drafts.keys)
    while !waiting.isEmpty {
      let results = lanes.map(waiting) { id throws(BlobError) in try store(drafts[id]!, id) }
      for (id, result) in zip(waiting, results) {
        let wasStored = try result.get()
        stored[id] = stored[id] ?? wasStored
      }
      // A removal that is announced from now on sees these bytes. One that ended before may have removed them, so each is
      // looked for once more.
      let announced = try removals()
      for id in waiting where announced[id] != nil { try waitForRemovals(of: id) }
      waiting = try waiting.filter { announced[$0] != nil } + absent(waiting.filter { announced[$0] == nil })
    }
    return stored
  }

  private func absent(_ ids: [BlobID]) throws(BlobError) -> [BlobID] {
    var absent: [BlobID] = []
    let found = lanes.map(ids) { id throws(BlobError) in try isStored(id) }
    for (id, result) in zip(ids, found) where try !result.get() { absent.append(id) }
    return absent
  }

  func isStored(_ id: BlobID) throws(BlobError) -> Bool {
    var call = S3Call(.head, address.key(id))
    call.limit = .max
    return try client.send(call, accepting: [404]).status != 404
  }

  /// Stores the bytes, or marks stored bytes as stored anew. Returns whether they were stored before.
  private func store(_ draft: S3Draft, _ id: BlobID) throws(BlobError) -> Bool {
    let byteCount = try draft.finish().byteCount
    let isConditional = try hasConditionalPut()
    // A long body that is there need not be sent.
    if !isConditional || byteCount > S3Limits.unasked, let blob = try stat(id), blob.byteCount == byteCount {
      try renew(id)
      return true
    }
    if try upload(draft, id, to: address.key(id), byteCount: byteCount, isConditional: isConditional) { return false }
    guard let blob = try stat(id), blob.byteCount == byteCount else {
      // It was removed meanwhile, or its bytes are wrong.
      _ = try upload(draft, id, to: address.key(id), byteCount: byteCount, isConditional: false)
      return false
    }
    try renew(id)
    return true
  }

  /// Gives a blob another version.
  func renew(_ id: BlobID) throws(BlobError) {
    var call = S3Call(.put, address.renewalKey(id))
    call.body = Array(nonce().utf8)
    _ = try client.send(call)
  }

  /// A text that no other process makes.
  func nonce() -> String { SignatureV4.hex(randomBytes(16)) }

  /// The blob and the mark of its last renewal, by one request.
  public func stat(_ id: BlobID) throws(BlobError) -> BlobInfo? {
    try listing(prefix: address.key(id), after: nil, most: 2).blobs(at: address).first { $0.id == id }
  }

  /// Reads from the cache of this machine. What is not there is fetched whole if it is not large.
  public func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] {
    if let bytes = cache.fetch(id, range) { return bytes }
    if cache.isUsed, try download(id), let bytes = cache.fetch(id, range) { return bytes }
    if range.isEmpty {
      guard try stat(id) != nil else { throw .missing(id) }
      return []
    }
    return try part(id, range)
  }

  private func part(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] {
    let end = range.upperBound == .max ? "" : String(range.upperBound - 1)
    var call = S3Call(.get, address.key(id), fields: [("range", "bytes=\(range.lowerBound)-\(end)")])
    call.limit = .max
    let sink = BytesSink()
    let answer = try client.send(call, accepting: [404, 416], to: sink)
    switch answer.status {
    case 404: throw try missing(id, answer)
    case 416: return []
    // The service sends the whole blob.
    case 200: return Array(sink.bytes.dropFirst(range.lowerBound).prefix(range.count))
    default: return sink.bytes
    }
  }

  /// Reads a blob into the cache. Returns false if it is too large for it.
  private func download(_ id: BlobID) throws(BlobError) -> Bool {
    let draft = try cache.draft()
    let sink = DraftSink(draft, limit: min(S3Limits.longestCached, cache.limit / 4))
    var call = S3Call(.get, address.key(id))
    call.limit = .max
    let answer = try client.send(call, accepting: [404], to: sink)
    if answer.status == 404 { throw try missing(id, answer) }
    if sink.isRefused { return false }
    guard try draft.finish().id == id else {
      throw .io(location: location, reason: "\(id.path) has other bytes than its name says")
    }
    cache.take(draft, id)
    return true
  }

  /// A blob that is absent, or a bucket.
  func missing(_ id: BlobID, _ answer: Response) throws(BlobError) -> BlobError {
    let fault = S3Fault(answer)
    return fault.code == "NoSuchBucket" ? fault.error(at: address, region: "", isWriting: false) : .missing(id)
  }
}

/// Numbers that tests change.
struct S3Limits: Sendable {
  /// From this number of bytes on, a blob is sent in parts.
  var longestWhole = 64 << 20
  /// The number of bytes of a part. Services demand 5 MiB, and allow 10,000 parts.
  var part = 16 << 20
  /// How long the service accepts the request that removes a blob, in seconds of its own clock.
  var removal = 60
  /// How much longer a removal is waited for: a service may take so long for what it has accepted, and its times are
  /// rounded.
  var margin = 30
  /// What interrupted work left behind is removed after so many seconds.
  var leftover: TimeInterval = 86_400

  /// Bytes that are sent without asking whether they are there: asking takes as long as sending.
  static let unasked = 256 << 10
  /// The maximum number of bytes of a blob that is cached.
  static let longestCached = 64 << 20
}

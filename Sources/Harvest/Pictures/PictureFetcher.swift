import Blobs
import FoundationEssentials
import HTTP
import Posts
import Services
import Storage
import Synchronization

/// Downloads the pictures and avatars of one pull, many at once. Each is verified before it counts.
///
/// A failed picture never fails the pull: it is recorded with its reason and its next try. A failing host is soon skipped,
/// so that it does not delay others. Pictures of a host that accepts no more requests for now are put off. Only a failure
/// of the library itself, such as a full disk, stops all downloads.
public final class PictureFetcher: Sendable {
  /// The results of all tasks. Avatars are not counted.
  struct Tally: Sendable {
    var counts = PullSummary.MediaCounts()
    var known = 0
    var reasons: [String] = []
    var putOffs: [PicturesPutOff] = []
    var failure: (any Error)?

    var done: Int { counts.downloaded + counts.deduplicated + counts.failed + counts.putOff + counts.leftOut }

    mutating func add(_ batch: PictureCommitter.Batch) {
      counts.downloaded += batch.counts.downloaded
      counts.deduplicated += batch.counts.deduplicated
      counts.failed += batch.counts.failed
      counts.putOff += batch.counts.putOff
      counts.leftOut += batch.counts.leftOut
      counts.pastTotal += batch.counts.pastTotal
      counts.bytes += batch.counts.bytes
      counts.gone += batch.counts.gone
      for putOff in batch.putOffs { putOffs.add(putOff) }
      reasons += batch.reasons.prefix(max(0, PictureFetcher.mostReasons - reasons.count))
    }
  }

  /// The most bytes of one picture, video or file.
  public static let largest = 512 << 20
  /// The retry policy for pictures. It waits less than the one for pages: a pull waits for all its pictures, and few hosts
  /// are worth minutes.
  public static let patience = RetryPolicy(maximumRequestedWait: .seconds(60))
  /// The most failures that are reported one by one.
  static let mostReasons = 20

  /// Workers beyond those with a picture in flight, so that a download begins when another ends: one of them writes, the
  /// others verify.
  static let workersBeside = 8

  /// Requests that the transport holds beyond those in flight, so that it can start the next at once.
  static let ahead = 4

  /// How long downloads under way may continue after the last time at which one may begin.
  private static let lastPatience = Duration.seconds(600)

  let transport: Transport
  private let blobs: any BlobStoring
  private let store: Store
  private let committer: PictureCommitter
  private let time: TimeSource
  private let workers: Int
  private let semaphore: AsyncSemaphore
  private let tally = Mutex(Tally())
  /// The most bytes of all files; without a bound unless one is set.
  let total = TotalLimit()
  private let breaker = Mutex(HostCircuitBreaker())
  private let homes: FileHomes

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - parallel: The transport's number of downloads in flight.
  ///   - directory: Keeps the documents of accounts that have files at servers of their own; nil for their network's own.
  public init(
    transport: Transport, blobs: any BlobStoring, store: Store, time: TimeSource, parallel: Int = 16,
    directory: Server? = nil
  ) {
    homes = FileHomes(directory: directory, transport: transport)
    self.transport = transport
    self.blobs = blobs
    self.store = store
    self.time = time
    workers = parallel + Self.workersBeside
    semaphore = AsyncSemaphore(parallel + Self.ahead)
    committer = PictureCommitter(blobs: blobs, store: store, time: time)
  }

  /// Number of expected pictures that are not finished.
  var backlog: Int { tally.withLock { $0.known - $0.done } }

  /// What stopped the downloads, if anything did.
  var failure: (any Error)? { tally.withLock { $0.failure } }

  /// Announces tasks, so that the number of pending pictures is known.
  func expect(_ tasks: [PictureTask], times: Int = 1) {
    let pictures = tasks.count { if case .attachment = $0.owner { true } else { false } }
    tally.withLock { $0.known += times * pictures }
  }

  /// Performs the tasks until their stream ends or the current task is cancelled. Repeated tasks, such as the avatar of an
  /// author on many pages, run once. Tasks that have not begun by `end` are dropped.
  func run(
    _ tasks: AsyncStream<PictureTask>, until end: Date? = nil, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> Tally {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      var seen: Set<Seen> = []
      for await task in tasks where failure == nil {
        guard seen.insert(Seen(task)).inserted else {
          expect([task], times: -1)
          continue
        }
        if running >= workers {
          await group.next()
          running -= 1
        }
        running += 1
        group.addTask { await self.work(task, until: end, onEvent: onEvent) }
      }
    }
    return tally.withLock { $0 }
  }

  private func work(
    _ task: PictureTask, until end: Date?, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async {
    do {
      let ending = try await semaphore.use { () -> PictureCommitter.FetchResult? in
        guard failure == nil, !Task.isCancelled else { return nil }
        return try await fetch(task, until: end)
      }
      guard let ending else { return }
      try await committer.commit(ending, expected: { self.backlog }) { batch in
        let event = self.tally.withLock { tally in
          tally.add(batch)
          return PullEvent.picture(done: tally.done, known: tally.known, bytes: tally.counts.bytes)
        }
        onEvent(event)
      }
    } catch is CancellationError {
      return
    } catch is DeadlineExceeded {
      expect([task], times: -1)
    } catch {
      tally.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Identifies a task without retaining it: the addresses of a pull's ten thousands would take many megabytes.
  private struct Seen: Hashable, BitwiseCopyable {
    let owner: PictureOwner
    let addresses: Int

    init(_ task: PictureTask) { (owner, addresses) = (task.owner, task.urls.hashValue) }
  }

  /// The deadline passed before the picture was downloaded.
  private struct DeadlineExceeded: Error {}

  /// Why a host gets no requests now; nil if it may.
  private func objection(to host: String, until end: Date?) -> (any Error)? {
    let now = time.now()
    if let end, end <= now { return DeadlineExceeded() }
    return breaker.withLock { breaker in
      if let limit = breaker.limit(of: host, now: now) { return FetchFailure.limited(limit) }
      return breaker.isLeftAlone(host) ? FetchFailure.leftAlone : nil
    }
  }

  /// Tries each address in turn until one returns a whole picture.
  private func fetch(_ task: PictureTask, until end: Date?) async throws -> PictureCommitter.FetchResult {
    if let limit = leavesOut(task) { return .leftOut(task, reason(limit, for: task)) }
    var refusals = FetchFailures()
    var blamed: Set<String> = []
    var addresses = ArraySlice(task.urls)
    while let address = addresses.popFirst() {
      let url = await homes.known(address, namedBy: task.server)
      let host = HostCircuitBreaker.host(of: url)
      do {
        if let objection = objection(to: host, until: end) { throw objection }
        let (draft, header) = try await whole(task, from: url, of: host, until: end)
        breaker.withLock { $0.succeeded(host) }
        return .fetched(task, draft, header)
      } catch let reason as LeftOutByLimit {
        return .leftOut(task, self.reason(reason.limit, for: task))
      } catch let refusal as FetchFailure {
        refusals.add(refusal, of: url)
        // Two addresses of one picture count as one failure.
        if refusal.blamesHost, blamed.insert(host).inserted { breaker.withLock { $0.failed(host) } }
        if refusal.limit == nil, let other = await homes.address(of: url, namedBy: task.server) {
          addresses.insert(other, at: addresses.startIndex)
        }
      }
    }
    return refusals.ending(of: task)
  }

  /// Which limit leaves a task out before anything is requested.
  private func leavesOut(_ task: PictureTask) -> FileLimits.Limit? {
    guard case .attachment = task.owner else { return nil }
    return task.limitBeforeRequest ?? (total.isFull ? .total : nil)
  }

  private func reason(_ limit: FileLimits.Limit, for task: PictureTask) -> LeftOut {
    var limits = task.limits
    if limit == .total { limits.maxTotal = total.bound }
    return LeftOut(limit, of: limits)
  }

  /// Requests a file whose end is missing once more: a cache on the way may have kept a download that broke off.
  private func whole(
    _ task: PictureTask, from url: String, of host: String, until end: Date?
  ) async throws -> (any BlobReceiving, MediaHeader) {
    do {
      return try await fetch(task, from: url, of: host, until: end)
    } catch let refusal as FetchFailure where refusal.isCutShort {
      return try await fetch(task, from: url, of: host, headers: ["Cache-Control": "no-cache"], until: end)
    }
  }

  private func fetch(
    _ task: PictureTask, from url: String, of host: String, headers: Headers = [:], until end: Date?
  ) async throws -> (any BlobReceiving, MediaHeader) {
    let draft = try blobs.draft()
    do {
      if InlinePicture.isAddress(url) { return (draft, try read(task, url, into: draft)) }
      return (draft, try await fetch(task, from: url, of: host, headers, into: draft, until: end))
    } catch {
      draft.discard()
      throw error
    }
  }

  private func fetch(
    _ task: PictureTask, from url: String, of host: String, _ headers: Headers, into draft: any BlobReceiving,
    until end: Date?
  ) async throws -> MediaHeader {
    var request = Request(.get, url, headers: headers, limit: Self.largest, redirects: .anywhere)
    request.referrer = task.server
    request.decodesDownload = true
    request.downloadTime = end.map { .seconds(max(0, $0.timeIntervalSince(time.now()))) + Self.lastPatience }
    // Keep the reason of that moment: a little later the host may have succeeded.
    let objection = Mutex<(any Error)?>(nil)
    request.isStillWanted = { [self] in
      let found = self.objection(to: host, until: end)
      objection.withLock { $0 = found }
      return found == nil
    }
    let sink = PictureSink(draft, unwraps: task.kind == .image, bounds: FileBounds(of: task, total: total))
    defer { _ = sink.end() }
    let response: Response
    do {
      response = try await transport.download(request, sink)
    } catch {
      if let limit = sink.exceeded { throw LeftOutByLimit(limit: limit) }
      if case .tooLarge = error, task.limits.maxSize ?? .max <= Self.largest { throw LeftOutByLimit(limit: .size) }
      if error == .cancelled { throw objection.withLock { $0 } ?? CancellationError() }
      if let failure = sink.failure { throw failure }
      throw FetchFailure(error)
    }
    // A download whose bytes are rejected ends as if it had none.
    if let failure = sink.failure { throw failure }
    if let limit = sink.exceeded { throw LeftOutByLimit(limit: limit) }
    guard (200..<300).contains(response.status) else { throw refusal(response, from: host) }
    if sink.isCutShort { throw FetchFailure(.cutShort) }
    let header = try draft.header()
    if sink.end(header) { throw LeftOutByLimit(limit: .kind) }
    let expectation: MediaHeader.Expectation = task.kind == .image ? .image : .anything
    if let fault = header.fault(expecting: expectation, announced: sink.announced) {
      throw FetchFailure(fault)
    }
    if let named = Catalogue.digest(namedBy: url), try draft.finish().id != BlobID(digest: named) {
      throw FetchFailure(reason: "its bytes are not those that its address names")
    }
    return header
  }

  /// Reads a picture that stands in its post.
  private func read(_ task: PictureTask, _ address: String, into draft: any BlobReceiving) throws -> MediaHeader {
    guard let raw = try task.post.flatMap({ try store.raw(ofPost: $0) }),
      let bytes = InlinePicture.bytes(of: address, in: raw)
    else { throw FetchFailure(reason: "its post no longer holds it") }
    if let most = task.limits.maxSize, bytes.count > most { throw LeftOutByLimit(limit: .size) }
    try draft.reset()
    try bytes.withUnsafeBytes { try draft.write($0) }
    let header = try draft.header()
    if let fault = header.fault(expecting: .image, announced: nil) { throw FetchFailure(fault) }
    return header
  }

  /// What an answer without a picture means for this picture and for others of the host.
  private func refusal(_ answer: Response, from host: String) -> FetchFailure {
    // After a redirect to another host the limit is that host's.
    let limitedHost = answer.url.isEmpty ? host : HostCircuitBreaker.host(of: answer.url)
    let refusal = FetchFailure(answer, of: limitedHost, now: time.now())
    if let limit = refusal.limit { breaker.withLock { $0.limited(host, by: limit) } }
    return refusal
  }
}

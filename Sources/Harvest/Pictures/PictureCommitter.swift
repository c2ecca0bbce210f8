import Blobs
import FoundationEssentials
import HTTP
import Machine
import Posts
import Storage

/// Makes downloaded pictures durable in batches: first the bytes, then their rows.
///
/// While one batch is synced the next one fills, and a moment longer if it is small and more pictures are expected: each
/// batch is a transaction that notifies every open list. While `backlog` pictures wait, further workers are suspended, so
/// that open files stay bounded however slow the disk is.
actor PictureCommitter {
  /// The result of one picture's download.
  enum FetchResult: Sendable {
    /// Whole bytes of the right kind, not yet durable.
    case fetched(PictureTask, any BlobReceiving, MediaHeader)
    /// No bytes; `line` is the address and the reason.
    case failed(PictureFailure, line: String)
    /// No bytes yet: its host accepts no more requests before a time.
    case putOff(PictureFailure, PicturesPutOff)
    /// No bytes: a limit leaves the file out.
    case leftOut(PictureTask, LeftOut)
  }

  /// The results of a batch.
  struct Batch: Sendable {
    var counts = PullSummary.MediaCounts()
    var reasons: [String] = []
    var putOffs: [PicturesPutOff] = []
  }

  static let backlog = 64
  /// A batch of this size does not wait for more.
  private static let batch = 16
  /// The longest time that a batch waits for more.
  private static let moment = Duration.milliseconds(4)
  private let blobs: any BlobStoring
  private let store: Store
  private let time: TimeSource
  private let queue = BlockingExecutor("pictures")
  private var waiting: [FetchResult] = []
  private var isKeeping = false
  private var heldBack: [CheckedContinuation<Void, Never>] = []

  init(blobs: any BlobStoring, store: Store, time: TimeSource) {
    self.blobs = blobs
    self.store = store
    self.time = time
  }

  /// Records one result. The call that finds no batch under way writes until none is left and reports each batch. If it
  /// throws, what waits is lost, and a later pull downloads it again. `expected` returns the number of unfinished pictures.
  func commit(
    _ ending: FetchResult, expected: @Sendable () -> Int, onBatch: @escaping @Sendable (Batch) -> Void
  ) async throws {
    waiting.append(ending)
    if isKeeping {
      if waiting.count >= Self.backlog { await withCheckedContinuation { heldBack.append($0) } }
      return
    }
    isKeeping = true
    defer {
      isKeeping = false
      waiting = []
      letGo()
    }
    while !waiting.isEmpty {
      // Cancellation ends only this wait: the waiting pictures are whole.
      if waiting.count < min(Self.batch, expected()) { try? await time.sleep(Self.moment) }
      let endings = waiting
      waiting = []
      letGo()
      let writer = BatchWriter(blobs: blobs, store: store, now: time.now())
      // The callback may block on a terminal.
      try await queue.run { onBatch(try writer.write(endings)) }
    }
  }

  private func letGo() {
    for continuation in heldBack { continuation.resume() }
    heldBack = []
  }
}

/// Writes one batch.
private struct BatchWriter: Sendable {
  let blobs: any BlobStoring
  let store: Store
  let now: Date

  func write(_ endings: [PictureCommitter.FetchResult]) throws -> PictureCommitter.Batch {
    var batch = PictureCommitter.Batch()
    var fetched: [(task: PictureTask, draft: any BlobReceiving, header: MediaHeader)] = []
    var failures: [PictureFailure] = []
    var (putOffs, leftOut): ([PictureDelay], [PictureLeftOut]) = ([], [])
    for ending in endings {
      switch ending {
      case .fetched(let task, let draft, let header): fetched.append((task, draft, header))
      case .failed(let failure, let line):
        failures.append(failure)
        if case .attachment = failure.owner {
          batch.counts.failed += 1
          batch.reasons.append(line)
        }
      case .putOff(let failure, let putOff):
        putOffs.append(PictureDelay(failure, until: putOff.until))
        if case .attachment = failure.owner {
          batch.counts.putOff += 1
          batch.putOffs.add(putOff)
        }
      case .leftOut(let task, let reason):
        leftOut.append(PictureLeftOut(owner: task.owner, reason: reason, urls: task.urls))
        batch.counts.leaveOut(for: reason)
      }
    }
    let kept = try blobs.keep(fetched.map(\.draft))
    if !kept.isEmpty {
      try store.attach(
        zip(fetched, kept).map { ($0.task, StoredBlob(id: $1.id, byteCount: $1.byteCount, header: $0.header)) },
        now: now)
    }
    if !failures.isEmpty { batch.counts.gone = try store.fail(failures, now: now) }
    if !putOffs.isEmpty { try store.putOff(putOffs, now: now) }
    if !leftOut.isEmpty { try store.leaveOut(leftOut, now: now) }
    for (fetch, blob) in zip(fetched, kept) {
      guard case .attachment = fetch.task.owner else { continue }
      batch.counts.bytes += Int64(blob.byteCount)
      if blob.wasStored { batch.counts.deduplicated += 1 } else { batch.counts.downloaded += 1 }
    }
    return batch
  }
}

extension PullSummary.MediaCounts {
  fileprivate mutating func leaveOut(for reason: LeftOut) {
    leftOut += 1
    if reason.limit == .total { pastTotal += 1 }
  }
}

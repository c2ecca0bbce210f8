// Small pictures of a library's pictures and videos, for galleries. A separate process, `media-picture`, decodes: pictures
// are untrusted. This module has its queue, its client and the cache of what was made. It decodes nothing.

import Blobs
import FoundationEssentials
import Machine
import Pictures
import Synchronization

/// Derivatives of a library's blobs: WebP pictures of three sizes, made when they are asked for and cached in the library.
///
/// The newest request is served first. Requests for the same blob share one decoding. A blob that breaks its decoder affects
/// no other blob. Whoever owns the value runs `run` beside it.
public final class Derivatives: Sendable {
  /// The longer side of a derivative, in pixels. A smaller picture keeps its size.
  public enum Size: Int, CaseIterable, Sendable, Comparable {
    /// A cell of a grid.
    case small = 320
    /// A cell on a screen of high density, or a column.
    case medium = 640
    /// A whole screen.
    case large = 1600

    /// Orders sizes by their pixels.
    public static func < (one: Size, other: Size) -> Bool { one.rawValue < other.rawValue }
  }

  typealias Files = [Size: DerivativeFile]
  typealias Answer = CheckedContinuation<Result<Files, DerivativeError>, Never>

  struct State {
    var number: UInt64 = 0
    var queue: DerivativeQueue
    var answers: [UInt64: Answer] = [:]
    var cancelled: Set<UInt64> = []
    var idle: [DerivativeWorker]
    var failures = BlobMemory<DerivativeError>()
    /// Whether the cache accepted the last file.
    var isCaching = true
  }

  /// The files as they are published.
  public let cleanCopies: CleanCopies
  let blobs: any BlobStoring
  let cache: ThumbnailCache
  let configuration: Configuration
  let clocks: Clocks
  let notice: @Sendable (String) -> Void
  let workers: [DerivativeWorker]
  let state: Mutex<State>
  private let reading = BlockingExecutor("derivatives.cache")

  /// Derivatives of a library's blobs. It starts no process yet.
  ///
  /// - Parameters:
  ///   - blobs: The library's blobs.
  ///   - cache: The library's cache.
  ///   - notice: Receives a sentence when derivatives can no longer be cached, once until they can again.
  public init(
    blobs: any BlobStoring, cache: ThumbnailCache, configuration: Configuration, clocks: Clocks,
    notice: @escaping @Sendable (String) -> Void
  ) {
    (self.blobs, self.cache, self.configuration, self.clocks) = (blobs, cache, configuration, clocks)
    self.notice = notice
    let program = WorkerChild.Program(
      path: configuration.program, environment: configuration.environment, timeLimit: configuration.timeLimit,
      now: clocks.instant)
    workers = (0..<configuration.children).map { _ in DerivativeWorker(program) }
    let stripper = Stripper(
      program: configuration.program, environment: configuration.environment, timeLimit: .seconds(60),
      now: clocks.instant)
    cleanCopies = CleanCopies(
      of: blobs, in: cache, by: stripper, temporary: configuration.temporary, now: clocks.now)
    let queue = DerivativeQueue(
      capacity: configuration.capacity, backgroundLimit: max(1, configuration.children - 1))
    state = Mutex(State(queue: queue, idle: workers.reversed()))
  }

  /// The derivative of a blob, from the cache or made now.
  ///
  /// A request that is cancelled while it waits is dropped. If it is cancelled while it is made, this returns at once, and
  /// the derivative is only cached.
  ///
  /// - Throws: Why there is none.
  public func file(for blob: BlobID, size: Size) async throws(DerivativeError) -> DerivativeFile {
    let files = try await files(for: blob, sizes: [size])
    guard let file = files[size] else { throw .missing }
    return file
  }

  /// Derivatives of one blob. The blob is decoded once for all that are not cached.
  public func files(
    for blob: BlobID, sizes: Set<Size>
  ) async throws(DerivativeError) -> [Size: DerivativeFile] {
    let cached = await reading.run { self.cached(blob, sizes) }
    let missing = sizes.subtracting(cached.keys)
    guard !missing.isEmpty else { return cached }
    let made = try await make(missing, of: blob, isBackground: false)
    return cached.merging(made) { _, new in new }
  }

  /// Makes the derivatives that blobs lack, as after a harvest. Requests for pictures that somebody waits for go first, and
  /// one child stays free for them where there are several. Cancelling the task ends it after the blobs under way.
  ///
  /// - Returns: The number of blobs that have their derivatives now.
  public func prepare(
    _ blobs: some Sequence<BlobID>, sizes: Set<Size> = [.small, .medium]
  ) async -> Int {
    var rest = blobs.makeIterator()
    return await withTaskGroup(of: Bool.self) { group in
      var done = 0
      for _ in 0..<max(1, configuration.children - 1) {
        guard let blob = rest.next() else { break }
        group.addTask { await self.prepare(blob, sizes) }
      }
      for await isDone in group {
        if isDone { done += 1 }
        guard !Task.isCancelled, let blob = rest.next() else { continue }
        group.addTask { await self.prepare(blob, sizes) }
      }
      return done
    }
  }

  private func prepare(_ blob: BlobID, _ sizes: Set<Size>) async -> Bool {
    let missing = await reading.run { sizes.filter { !self.cache.holds(blob, $0) } }
    guard !missing.isEmpty else { return true }
    return (try? await make(missing, of: blob, isBackground: true)) != nil
  }

  /// Ends children that nobody needs, until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      guard (try? await clocks.sleep(configuration.idleTime)) != nil else { break }
      endIdleChildren()
    }
    endIdleChildren(unusedFor: .zero)
  }

  /// Ends the children that were not used for the idle time.
  func endIdleChildren() { endIdleChildren(unusedFor: configuration.idleTime) }

  private func endIdleChildren(unusedFor time: Duration) {
    let start = clocks.instant() - time
    for worker in workers { worker.endChild(unusedSince: start) }
    cleanCopies.endChild(unusedSince: start)
  }

  /// The child processes.
  var processes: [Int32] { workers.compactMap(\.process) }

  func cached(_ blob: BlobID, _ sizes: Set<Size>) -> Files {
    sizes.reduce(into: [:]) { files, size in files[size] = cache.file(blob, size) }
  }
}

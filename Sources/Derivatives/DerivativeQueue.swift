import Blobs

/// Decides which derivatives are made next. It makes nothing itself.
///
/// What is asked for last is made first: it is what the person looks at now. What nobody waits for is dropped, and so is the
/// oldest request when there are too many. Background jobs come in their order, when no request waits.
struct DerivativeQueue {
  /// Identifies a caller that waits.
  typealias Waiter = UInt64

  /// Derivatives of one blob that are made together.
  struct Job: Sendable {
    let number: UInt64
    let blob: BlobID
    var sizes: Set<Derivatives.Size>
    var isBackground: Bool
    fileprivate(set) var waiters: Set<Waiter> = []
  }

  private let capacity: Int
  /// The maximum number of background jobs that run at once.
  private let backgroundLimit: Int
  /// Oldest first.
  private var waiting: [Job] = []
  private var running: [UInt64: Job] = [:]
  private var number: UInt64 = 0

  /// An empty queue.
  init(capacity: Int, backgroundLimit: Int) { (self.capacity, self.backgroundLimit) = (capacity, backgroundLimit) }

  /// Whether nothing waits or runs.
  var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

  /// Adds a caller. It joins a job of the same blob.
  ///
  /// - Returns: The callers of jobs that were dropped.
  mutating func add(
    _ waiter: Waiter, _ blob: BlobID, _ sizes: Set<Derivatives.Size>, isBackground: Bool
  ) -> Set<Waiter> {
    if let job = running.values.first(where: { $0.blob == blob && $0.sizes.isSuperset(of: sizes) }) {
      running[job.number]?.waiters.insert(waiter)
      return []
    }
    var job: Job
    if let index = waiting.firstIndex(where: { $0.blob == blob }) {
      job = waiting.remove(at: index)
      job.sizes.formUnion(sizes)
      job.isBackground = job.isBackground && isBackground
    } else {
      number += 1
      job = Job(number: number, blob: blob, sizes: sizes, isBackground: isBackground)
    }
    job.waiters.insert(waiter)
    waiting.append(job)
    return dropOldest()
  }

  private mutating func dropOldest() -> Set<Waiter> {
    guard waiting.count(where: { !$0.isBackground }) > capacity,
      let index = waiting.firstIndex(where: { !$0.isBackground })
    else { return [] }
    return waiting.remove(at: index).waiters
  }

  /// Starts the next job; nil if none may start.
  mutating func next() -> Job? {
    let index =
      waiting.lastIndex { !$0.isBackground }
      ?? (running.values.count(where: \.isBackground) < backgroundLimit ? waiting.indices.first : nil)
    guard let index else { return nil }
    let job = waiting.remove(at: index)
    running[job.number] = job
    return job
  }

  /// Ends a job.
  ///
  /// - Returns: Its callers, also those that joined while it ran.
  mutating func finish(_ job: Job) -> Set<Waiter> { running.removeValue(forKey: job.number)?.waiters ?? [] }

  /// Removes a caller. A job that nobody waits for does not start; one that runs is finished for the cache.
  mutating func remove(_ waiter: Waiter) {
    for index in waiting.indices { waiting[index].waiters.remove(waiter) }
    waiting.removeAll { $0.waiters.isEmpty }
    for number in running.keys { running[number]?.waiters.remove(waiter) }
  }
}

/// A window over a list of any length: its rows and sections, and what changes in them.
///
/// It holds the rows of the window alone. What it shows comes from the function it is made with, which observes a
/// window: the stream's first element is the present reading, each later one a newer reading of the same window. The
/// stream ends soon after the task that reads it is cancelled.
///
/// Nobody gets changes against a list that they did not see: each reader of `updates()`, and the delegate, is told of
/// the newest reading and of what differs from the one they were told of before.
///
/// A controller that nobody holds any more ends its observation and tells its delegate nothing more. `stop()` does so,
/// and waits for it.
public actor FetchedResultsController<Row: Identifiable & Equatable & Sendable, Anchor: Hashable & Sendable>
where Row.ID: Sendable {
  /// Observes a window. A window that was left is observed no longer: its stream is cancelled.
  public typealias Observe = @Sendable (Window<Anchor>) -> AsyncThrowingStream<Snapshot<Row>, any Error>

  /// The window that is looked at. The rows are those of the one before until the first reading of this one is there.
  public private(set) var window: Window<Anchor>

  nonisolated let board = Board<Row>()
  nonisolated let delegation = Delegation()
  private let observe: Observe
  private var observing: Task<Void, Never>?

  /// A controller that looks at nothing until `performFetch` or `move`.
  public init(window: Window<Anchor>, observing observe: @escaping Observe) {
    self.window = window
    self.observe = observe
  }

  deinit {
    board.close()
    observing?.cancel()
  }

  /// Begins to observe the window: its first reading is there when this returns. It does nothing more where the window
  /// is observed, and begins anew where the observation failed or ended.
  ///
  /// Throws what the observation fails with before its first reading, a `FetchedResultsError`, or a
  /// `CancellationError` where the calling task is cancelled; the observation goes on then.
  public func performFetch() async throws {
    if !board.look(\.isObserved) { begin() }
    try await answer()
  }

  /// Looks at another window: its first reading is there when this returns. Until then the rows are those of the window
  /// before, of which no reading is taken any more; readers get the changes between what they saw and what they see.
  ///
  /// Where another call moves on meanwhile, this one returns with the reading of that window. Throws like
  /// `performFetch`, which then tries the new window again.
  public func move(to window: Window<Anchor>) async throws {
    if window != self.window || !board.look(\.isObserved) {
      self.window = window
      begin()
    }
    try await answer()
  }

  /// Ends the observation, all readers' sequences and the delegate's calls, for good. The rows stay as they were. None
  /// of its tasks runs any more when this returns; so a delegate whose queue is blocked holds it up.
  public func stop() async {
    board.close()
    observing?.cancel()
    await observing?.value
    await delegation.ended()
  }

  /// The updates of the window, for any number of readers at any pace.
  public nonisolated func updates() -> Updates<Row> { Updates(self, board) }

  private func begin() {
    let earlier = observing
    // An observation that is cancelled before another one counts would be taken for one that ended of itself.
    let number = board.open()
    earlier?.cancel()
    // Kept, so that it is cancelled by `stop`, by the next one, and when the controller goes.
    observing = Task { [board, observe, window] in
      await Self.run(observe(window), number, board)
      // Whoever waits for this task waits for all that were begun.
      await earlier?.value
    }
  }

  private static func run(
    _ readings: AsyncThrowingStream<Snapshot<Row>, any Error>, _ number: Int, _ board: Board<Row>
  ) async {
    do {
      for try await snapshot in readings {
        guard board.take(snapshot, of: number) else { return }
      }
      board.halt(nil, of: number)
    } catch {
      board.halt(error, of: number)
    }
  }

  /// Waits for the first reading of the present observation, or of one that takes its place.
  private func answer() async throws {
    let number = board.look(\.observation)
    let answer = await board.first { state -> Result<Void, any Error>? in
      if state.isOver { return .failure(FetchedResultsError.stopped) }
      if state.answered >= number { return .success(()) }
      return state.halt.map { .failure($0.error ?? FetchedResultsError.nothingRead) }
    } orHalt: {
      .failure($0.error ?? FetchedResultsError.nothingRead)
    }
    guard let answer else { throw CancellationError() }
    try answer.get()
  }
}

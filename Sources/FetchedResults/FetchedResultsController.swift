/// A window over a list of any length: its rows and sections, and their changes.
///
/// It holds only the rows of the window. They come from the function passed to the initializer, which observes a window:
/// the stream's first element is the current reading, each later one a newer reading of the same window. The stream ends
/// soon after the task that reads it is cancelled.
///
/// Each reader of `updates()`, and the delegate, gets the newest reading and its changes against the reading that it
/// got last. No reader gets changes against a list that it did not see.
///
/// When the controller is deallocated, it ends its observation and its calls to the delegate. `stop()` does the same,
/// and waits until all have ended.
public actor FetchedResultsController<Row: Identifiable & Equatable & Sendable, Anchor: Hashable & Sendable>
where Row.ID: Sendable {
  /// Observes a window. When the controller moves to another window, it cancels the stream.
  public typealias Observe = @Sendable (Window<Anchor>) -> AsyncThrowingStream<Snapshot<Row>, any Error>

  /// The current window. Until its first reading arrives, the rows are those of the previous window.
  public private(set) var window: Window<Anchor>

  nonisolated let board = LatestValue<Row>()
  nonisolated let delegation = DelegateRegistration()
  private let observe: Observe
  private var observing: Task<Void, Never>?

  /// A controller that observes nothing until `performFetch` or `move`.
  public init(window: Window<Anchor>, observing observe: @escaping Observe) {
    self.window = window
    self.observe = observe
  }

  deinit {
    board.close()
    observing?.cancel()
  }

  /// Starts observing the window, and returns when the first reading has arrived. A running observation is kept. One
  /// that failed or ended is restarted.
  ///
  /// - Throws: The observation's error if it fails before its first reading; a `FetchedResultsError`; or a
  ///   `CancellationError` if the calling task is cancelled. The observation continues after a cancellation.
  public func performFetch() async throws {
    if !board.read(\.isObserved) { begin() }
    try await waitForFirstReading()
  }

  /// Moves to another window, and returns when its first reading has arrived. Until then the rows are those of the
  /// previous window, without further updates. Readers get the changes between the two windows' rows.
  ///
  /// If another call moves to a third window meanwhile, this one returns with that window's first reading.
  ///
  /// - Throws: The same errors as `performFetch`, which then tries the new window again.
  public func move(to window: Window<Anchor>) async throws {
    if window != self.window || !board.read(\.isObserved) {
      self.window = window
      begin()
    }
    try await waitForFirstReading()
  }

  /// Ends the observation, all readers' sequences and the delegate's calls for good. The rows stay as they were. When
  /// this returns, all tasks of the controller have ended. A delegate whose queue is blocked delays it.
  public func stop() async {
    board.close()
    observing?.cancel()
    await observing?.value
    await delegation.ended()
  }

  /// The updates of the window, for any number of readers, each at its own pace.
  public nonisolated func updates() -> Updates<Row> { Updates(self, board) }

  private func begin() {
    let earlier = observing
    // Open the new observation first: a cancelled observation that is still current counts as one that ended by itself.
    let number = board.open()
    earlier?.cancel()
    // Kept: `stop`, the next observation and `deinit` cancel it.
    observing = Task { [board, observe, window] in
      await Self.run(observe(window), number, board)
      // Waiting for this task includes waiting for all earlier ones.
      await earlier?.value
    }
  }

  private static func run(
    _ readings: AsyncThrowingStream<Snapshot<Row>, any Error>, _ number: Int, _ board: LatestValue<Row>
  ) async {
    do {
      for try await snapshot in readings {
        guard board.record(snapshot, of: number) else { return }
      }
      board.halt(nil, of: number)
    } catch {
      board.halt(error, of: number)
    }
  }

  /// Waits for the first reading of the current observation, or of one that replaces it.
  private func waitForFirstReading() async throws {
    let number = board.read(\.observation)
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

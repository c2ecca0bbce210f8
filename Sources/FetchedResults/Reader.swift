/// Reads a `LatestValue`, and remembers the reading that it saw last.
struct Reader<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What a reader sees.
  enum ReaderState: Sendable {
    case update(Update<Row>)
    case halt((any Error)?)
    case over
  }

  private enum Change: Sendable {
    case snapshot(Snapshot<Row>, generation: Int)
    case halt(LatestValue<Row>.Halt)
    case over
  }

  private let board: LatestValue<Row>
  private var seen = Snapshot<Row>.empty
  private var generation = 0
  private var halts = 0

  init(_ board: LatestValue<Row>) { self.board = board }

  /// Waits for the newest state that it did not see yet; nil if the task is cancelled.
  mutating func next() async -> ReaderState? {
    while let change = await nextChange() {
      // A change that was undone before it was seen is not reported.
      if let state = state(after: change) { return state }
    }
    return nil
  }

  private func nextChange() async -> Change? {
    await board.first { state -> Change? in
      if state.isOver { return .over }
      if state.generation > generation { return .snapshot(state.snapshot, generation: state.generation) }
      guard let halt = state.halt, halt.number > halts else { return nil }
      return .halt(halt)
    } orHalt: {
      .halt($0)
    }
  }

  private mutating func state(after change: Change) -> ReaderState? {
    switch change {
    case .over: return .over
    case .halt(let halt):
      halts = halt.number
      return .halt(halt.error)
    case .snapshot(let snapshot, let number):
      let isInitial = generation == 0
      generation = number
      if !isInitial, snapshot == seen { return nil }
      defer { seen = snapshot }
      return .update(Update(snapshot, generation: number, after: seen, isInitial: isInitial))
    }
  }
}

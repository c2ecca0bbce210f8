/// One who reads a board, and remembers what it saw.
struct Reader<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What a reader sees.
  enum Sight: Sendable {
    case update(Update<Row>)
    case halt((any Error)?)
    case over
  }

  private enum Look: Sendable {
    case news(Snapshot<Row>, generation: Int)
    case halt(Board<Row>.Halt)
    case over
  }

  private let board: Board<Row>
  private var seen = Snapshot<Row>.empty
  private var generation = 0
  private var halts = 0

  init(_ board: Board<Row>) { self.board = board }

  /// The newest that it did not see, as soon as there is any. nil where the task is cancelled.
  mutating func next() async -> Sight? {
    while let look = await look() {
      // What changed and changed back since the last look is no news.
      if let sight = see(look) { return sight }
    }
    return nil
  }

  private func look() async -> Look? {
    await board.first { state -> Look? in
      if state.isOver { return .over }
      if state.generation > generation { return .news(state.snapshot, generation: state.generation) }
      guard let halt = state.halt, halt.number > halts else { return nil }
      return .halt(halt)
    } orHalt: {
      .halt($0)
    }
  }

  private mutating func see(_ look: Look) -> Sight? {
    switch look {
    case .over: return .over
    case .halt(let halt):
      halts = halt.number
      return .halt(halt.error)
    case .news(let snapshot, let number):
      let isInitial = generation == 0
      generation = number
      if !isInitial, snapshot == seen { return nil }
      defer { seen = snapshot }
      return .update(Update(snapshot, generation: number, after: seen, isInitial: isInitial))
    }
  }
}

import FoundationEssentials

/// Changes the timelines: every few seconds a post is added, edited or deleted.
struct LiveStory {
  let serverState: ServerState
  let seed: UInt64
  let pause: @Sendable (Duration) async throws -> Void

  /// Runs until its task is cancelled.
  func run() async throws {
    var dice = Dice(seed: seed, subject: 0x11fe)
    while true {
      try await pause(.milliseconds(2_000 + dice.below(6_000)))
      happen(&dice, at: serverState.now())
    }
  }

  private func happen(_ dice: inout Dice, at now: Date) {
    let recent = serverState.world.withLock { $0.ids(on: .tag(Author.commonTag)).suffix(30) }
    let chosen = recent.isEmpty ? nil : dice.pick(Array(recent))
    let event = dice.below(10)
    serverState.world.withLock { world in
      switch (event, chosen) {
      case (0, let id?): world.delete(id, at: now)
      case (1...2, let id?): world.edit(id, at: now, &dice, renumbering: serverState.dialect.renumbersEdits)
      default: _ = world.write(at: now)
      }
    }
  }
}

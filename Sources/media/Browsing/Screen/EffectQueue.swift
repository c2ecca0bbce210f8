import Browse

/// Effects of one performer that wait to be performed.
struct EffectQueue<Effect: Sendable>: Sendable {
  private let effects: AsyncStream<Effect>
  private let continuation: AsyncStream<Effect>.Continuation

  init() { (effects, continuation) = AsyncStream.makeStream(of: Effect.self) }

  func give(_ effect: Effect) { continuation.yield(effect) }

  /// Accepts no more effects.
  func finish() { continuation.finish() }

  /// Performs effects one after another, until the queue is closed and empty, or the task is cancelled.
  func each(_ perform: (Effect) async -> Void) async {
    for await effect in effects { await perform(effect) }
  }
}

/// Where the screen's thread leaves effects, by performer.
struct ListPerformers: Sendable {
  let reads = EffectQueue<ReadEffect>()
  let writes = EffectQueue<WriteEffect>()
  let pulls = EffectQueue<PullKind>()
  let fetches = EffectQueue<PictureFetch>()
  let logins = EffectQueue<LoginEffect>()
  let openings = EffectQueue<OpenEffect>()
  let previewer: TimelinePreviewer
  let calendar: CalendarReader
  let side: SideReader
}

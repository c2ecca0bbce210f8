/// Checks a client's politeness and records a sentence for each violation.
struct Critic: Sendable {
  private(set) var apiErrors: [String] = []
  private var underWay = 0
  private var waits: [(path: String, until: ContinuousClock.Instant)] = []

  mutating func received(_ request: RecordedRequest, _ script: Script) {
    underWay += 1
    if request.headers["user-agent"]?.isEmpty ?? true { complain("\(request.path) came without a User-Agent") }
    if underWay > script.mostAtOnce { complain("more than \(script.mostAtOnce) requests at once") }
    guard script.judgesWaits, let wait = waits.last(where: { $0.path == request.path }) else { return }
    if ContinuousClock.now < wait.until { complain("\(request.path) came back before its Retry-After") }
  }

  mutating func finished() { underWay -= 1 }

  /// Records that a path got a `Retry-After`.
  mutating func asked(_ path: String, toWait seconds: Int) {
    waits.append((path, ContinuousClock.now.advanced(by: .seconds(seconds))))
  }

  private mutating func complain(_ sentence: String) {
    if !apiErrors.contains(sentence) { apiErrors.append(sentence) }
  }
}

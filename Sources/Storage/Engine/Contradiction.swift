/// What is stored contradicts itself.
struct Contradiction: Error {
  /// A sentence without its full stop.
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The user actions. Answers arrive in the order in which the actions were sent.
struct UndoStack: Sendable, Equatable {
  /// An action without an answer.
  private struct Sent: Sendable, Equatable {
    let change: PostChange
    /// The undo entry to restore if this action, which undoes it, fails.
    var undone: PostChange?
    /// Whether to undo it as soon as it is done.
    var isTakenBack = false
  }

  /// What undoes the latest actions, the latest last.
  private(set) var undoes: [PostChange] = []
  private var sent: [Sent] = []
  /// Posts that are being deleted.
  private(set) var going: Set<Int64> = []

  // The maximum that is remembered.
  private static let mostUndoes = 100

  /// Sends an action.
  mutating func send(_ change: PostChange) {
    sent.append(Sent(change: change))
    if case .delete(let ids, _) = change { going.formUnion(ids) }
  }

  /// Returns what undoes the latest action. Returns nil if there is nothing to undo, or if that action is not done yet; it
  /// is then undone when it is.
  mutating func undo() -> PostChange? {
    if let latest = sent.indices.last(where: { sent[$0].undone == nil && !sent[$0].isTakenBack }) {
      sent[latest].isTakenBack = true
      return nil
    }
    guard let change = undoes.popLast() else { return nil }
    sent.append(Sent(change: change, undone: change))
    return change
  }

  /// Whether there is anything to undo.
  var canUndo: Bool { !undoes.isEmpty || sent.contains { $0.undone == nil && !$0.isTakenBack } }

  /// Handles the answer to the earliest pending action.
  ///
  /// - Parameter change: What undoes it; nil if it changed nothing.
  /// - Returns: An action to send at once.
  mutating func done(undoneBy change: PostChange?) -> PostChange? {
    let entry = sent.isEmpty ? nil : sent.removeFirst()
    guard entry?.undone == nil, let change else { return nil }
    if entry?.isTakenBack == true {
      sent.append(Sent(change: change, undone: change))
      return change
    }
    undoes = (undoes + [change]).suffix(Self.mostUndoes)
    return nil
  }

  /// Removes and returns the earliest pending action, which failed.
  @discardableResult
  mutating func refused() -> PostChange? {
    going = []
    guard !sent.isEmpty else { return nil }
    let entry = sent.removeFirst()
    if let change = entry.undone { undoes.append(change) }
    return entry.change
  }

  /// Forgets posts that are deleted or restored.
  mutating func settle(_ isThere: (Int64) -> Bool) { going = going.filter(isThere) }
}

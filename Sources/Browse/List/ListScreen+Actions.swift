import Terminal

// User actions on posts, and undo.

/// The user actions. Answers arrive in the order in which the actions were sent.
struct UndoStack: Sendable, Equatable {
  /// An action without an answer.
  private struct Sent: Sendable, Equatable {
    let effect: Effect
    /// The undo entry to restore if this action, which undoes it, fails.
    var undone: Effect?
    /// Whether to undo it as soon as it is done.
    var isTakenBack = false
  }

  /// What undoes the latest actions, the latest last.
  private(set) var undoes: [Effect] = []
  private var sent: [Sent] = []
  /// Posts that are being deleted.
  private(set) var going: Set<Int64> = []

  // The maximum that is remembered.
  private static let mostUndoes = 100

  /// Sends an action.
  mutating func send(_ effect: Effect) {
    sent.append(Sent(effect: effect))
    if case .delete(let ids) = effect { going.formUnion(ids) }
  }

  /// Returns what undoes the latest action. Returns nil if there is nothing to undo, or if that action is not done yet; it
  /// is then undone when it is.
  mutating func undo() -> Effect? {
    if let latest = sent.indices.last(where: { sent[$0].undone == nil && !sent[$0].isTakenBack }) {
      sent[latest].isTakenBack = true
      return nil
    }
    guard let effect = undoes.popLast() else { return nil }
    sent.append(Sent(effect: effect, undone: effect))
    return effect
  }

  /// Whether there is anything to undo.
  var canUndo: Bool { !undoes.isEmpty || sent.contains { $0.undone == nil && !$0.isTakenBack } }

  /// Handles the answer to the earliest pending action.
  ///
  /// - Parameter effect: What undoes it; nil if it changed nothing.
  /// - Returns: An action to send at once.
  mutating func done(undoneBy effect: Effect?) -> Effect? {
    let deed = sent.isEmpty ? nil : sent.removeFirst()
    guard deed?.undone == nil, let effect else { return nil }
    if deed?.isTakenBack == true {
      sent.append(Sent(effect: effect, undone: effect))
      return effect
    }
    undoes = (undoes + [effect]).suffix(Self.mostUndoes)
    return nil
  }

  /// Removes and returns the earliest pending action, which failed.
  @discardableResult
  mutating func refused() -> Effect? {
    going = []
    guard !sent.isEmpty else { return nil }
    let deed = sent.removeFirst()
    if let effect = deed.undone { undoes.append(effect) }
    return deed.effect
  }

  /// Forgets posts that are deleted or restored.
  mutating func settle(_ isThere: (Int64) -> Bool) { going = going.filter(isThere) }
}

extension ListScreen {
  /// Performs an action that can be undone.
  mutating func send(_ effect: Effect) -> [Effect] {
    deeds.send(effect)
    return [effect]
  }

  /// Deletes the shown post, unless it is being deleted.
  mutating func delete() -> [Effect] {
    guard let post = whole, !deeds.going.contains(post.id) else { return [] }
    return send(.delete([post.id]))
  }

  mutating func undo() -> [Effect] {
    guard deeds.canUndo else {
      notice = "Nothing to undo."
      return []
    }
    return deeds.undo().map { [$0] } ?? []
  }

  mutating func handle(_ deed: UserAction) -> [Effect] {
    switch deed {
    case .deleted(let ids):
      notice = ids.isEmpty ? "It was deleted already." : ids.count == 1 ? "Deleted." : "Deleted \(ids.count) posts."
      return deeds.done(undoneBy: ids.isEmpty ? nil : .restore(ids)).map { [$0] } ?? []
    case .restored(let ids):
      fetching.asked.subtract(ids)
      deeds.settle { !ids.contains($0) }
      notice = ids.isEmpty ? "It was back already." : ids.count == 1 ? "It is back." : "\(ids.count) posts are back."
      _ = list.expect(ids.first, metrics)
      return deeds.done(undoneBy: ids.isEmpty ? nil : .delete(ids)).map { [$0] } ?? []
    case .added(let id):
      let isShown = list.expect(id, metrics)
      let isElsewhere = !isShown && !(scope.isWhole && search.isEmpty)
      notice = isElsewhere ? "Added. It is among all posts; this list shows a part." : "Added."
      if !isShown, !isElsewhere, list.reading.hasMoreBefore { notice += " g shows the newest." }
      return deeds.done(undoneBy: .delete([id])).map { [$0] } ?? []
    }
  }
}

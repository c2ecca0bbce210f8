import Wording

// User actions on posts, and undo.

extension ListScreen {
  /// What is said of a post that was added and is shown.
  static let added = "Added."

  /// What is said where only so many posts are as before.
  static func partly(_ count: Int) -> String {
    "\(NumberText.count(count, "post")) as before, but for what was changed again since."
  }

  /// Performs an action that can be undone.
  mutating func send(_ change: PostChange) -> [Effect] {
    undoStack.send(change)
    selection.use()
    return [.write(.change(change))]
  }

  /// Deletes the posts on which keys act, unless they are being deleted.
  mutating func delete() -> [Effect] {
    let posts = targets.filter { !undoStack.going.contains($0) }
    if actsOnSelection { selection.clear() }
    return posts.isEmpty ? [] : send(.delete(posts))
  }

  mutating func undo() -> [Effect] {
    guard undoStack.canUndo else {
      notice = "Nothing to undo."
      return []
    }
    return undoStack.undo().map { [.write(.change($0))] } ?? []
  }

  mutating func handle(_ action: UserAction) -> [Effect] {
    switch action {
    case .deleted(let ids, let change, let isPart):
      notice = ids.isEmpty ? "It was deleted already." : ids.count == 1 ? "Deleted." : "Deleted \(ids.count) posts."
      if isPart { notice = Self.partly(ids.count) }
      return undoStack.done(undoneBy: ids.isEmpty ? nil : .restore(ids, undoing: change)).map {
        [.write(.change($0))]
      } ?? []
    case .restored(let ids, let change, let isPart):
      fetching.asked.subtract(ids)
      undoStack.settle { !ids.contains($0) }
      notice = ids.isEmpty ? "It was back already." : ids.count == 1 ? "It is back." : "\(ids.count) posts are back."
      if isPart { notice = Self.partly(ids.count) }
      _ = list.expect(ids.first, metrics)
      return undoStack.done(undoneBy: ids.isEmpty ? nil : .delete(ids, undoing: change)).map {
        [.write(.change($0))]
      } ?? []
    case .edited(_, let undo):
      (notice, sentForm) = ("Changed.", nil)
      return undoStack.done(undoneBy: undo.map { .write($0) }).map { [.write(.change($0))] } ?? []
    case .marked(let ids, let marked, let changes): return handle(ids, marked, changes)
    case .unmarked(let ids, let isPart): return handle(unmarked: ids, isPart: isPart)
    case .added(let id):
      sentForm = nil
      let isShown = list.expect(id, metrics)
      let isElsewhere = !isShown && !(scope.isWhole && search.isEmpty)
      notice = isElsewhere ? "\(Self.added) It is among all posts; this list shows a part." : Self.added
      if !isShown, !isElsewhere, list.reading.hasMoreBefore { notice += " g shows the newest." }
      return undoStack.done(undoneBy: .delete([id])).map { [.write(.change($0))] } ?? []
    }
  }
}

import Dispatch

extension FetchedResultsController {
  /// Tells a delegate of all changes, on the actor of whoever calls this: the main actor or any other. It is told of
  /// the present list first, as changes from the empty one.
  ///
  /// There is one delegate: the one before is told nothing more, at once where it was told on the same actor. The
  /// delegate is not kept. The actor is, until the controller is stopped or goes: an actor that keeps the controller
  /// stops it.
  public func setDelegate<Delegate: FetchedResultsDelegate>(
    _ delegate: Delegate, isolation: isolated any Actor = #isolation
  ) where Delegate.Row == Row {
    let (term, earlier) = delegation.begin()
    // Kept below, so that it is cancelled by the next one, and when the controller stops or goes.
    let task = Task { [weak delegate, board] in
      _ = isolation
      await earlier?.value
      var courier = Courier(board)
      while let news = await courier.next(), !term.isOver, let delegate { news.hand(to: delegate) }
    }
    delegation.keep(task, for: term)
  }

  /// Tells a delegate of all changes, on a queue. It is told of the present list first, as changes from the empty one.
  ///
  /// There is one delegate: the one before is told nothing more, at once where it was told on the queue that this is
  /// called from. The delegate is not kept.
  public nonisolated func setDelegate<Delegate: FetchedResultsDelegate & Sendable>(
    _ delegate: Delegate, on queue: DispatchQueue
  ) where Delegate.Row == Row {
    let (term, earlier) = delegation.begin()
    // Kept below, as above.
    let task = Task { [weak delegate, board] in
      await earlier?.value
      var courier = Courier(board)
      while let news = await courier.next(), delegate != nil {
        await withCheckedContinuation { told in
          queue.async { [weak delegate] in
            if !term.isOver, let delegate { news.hand(to: delegate) }
            told.resume()
          }
        }
      }
    }
    delegation.keep(task, for: term)
  }

  /// Tells the delegate nothing more.
  public nonisolated func removeDelegate() { _ = delegation.begin() }
}

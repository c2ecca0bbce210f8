import Dispatch

extension FetchedResultsController {
  /// Delivers all changes to a delegate on the caller's actor, the main actor or any other. The first delivery is the
  /// current list, as changes from the empty one.
  ///
  /// There is one delegate. The previous one gets no more calls, effective immediately if it was called on the same
  /// actor. The reference to the delegate is weak. The actor is retained until the controller is stopped or
  /// deallocated: an actor that owns the controller must stop it.
  ///
  /// - Parameters:
  ///   - delegate: The new delegate.
  ///   - isolation: The actor on which the delegate is called; by default the caller's.
  public func setDelegate<Delegate: FetchedResultsDelegate>(
    _ delegate: Delegate, isolation: isolated any Actor = #isolation
  ) where Delegate.Row == Row {
    let (session, earlier) = delegation.begin()
    // Kept below: the next delegate cancels it, and so does the controller when it is stopped or deallocated.
    let task = Task { [weak delegate, board] in
      _ = isolation
      await earlier?.value
      var deliveries = DelegateDelivery(board)
      while let event = await deliveries.next(), !session.isOver, let delegate { event.deliver(to: delegate) }
    }
    delegation.keep(task, for: session)
  }

  /// Delivers all changes to a delegate on a queue. The first delivery is the current list, as changes from the empty
  /// one.
  ///
  /// There is one delegate. The previous one gets no more calls, effective immediately if it was called on the queue
  /// that calls this function. The reference to the delegate is weak.
  public nonisolated func setDelegate<Delegate: FetchedResultsDelegate & Sendable>(
    _ delegate: Delegate, on queue: DispatchQueue
  ) where Delegate.Row == Row {
    let (session, earlier) = delegation.begin()
    // Kept below, as above.
    let task = Task { [weak delegate, board] in
      await earlier?.value
      var deliveries = DelegateDelivery(board)
      while let event = await deliveries.next(), delegate != nil {
        await withCheckedContinuation { delivered in
          queue.async { [weak delegate] in
            if !session.isOver, let delegate { event.deliver(to: delegate) }
            delivered.resume()
          }
        }
      }
    }
    delegation.keep(task, for: session)
  }

  /// Ends all calls to the delegate.
  public nonisolated func removeDelegate() { _ = delegation.begin() }
}

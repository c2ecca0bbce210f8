import Pictures

/// Has pictures drawn for the list's screen: those that are wanted now, and no others any more.
///
/// The screen's thread cannot wait for a drawing: its tasks touch the drawer and the mailbox alone, are cancelled with
/// the dealer, and what draws ends when this process no longer speaks to it.
final class PictureDealer {
  private let drawer: PictureDrawer
  private let mailbox: Mailbox
  private var tasks: [PictureRequest: Task<Void, Never>] = [:]

  init(_ drawer: PictureDrawer, _ mailbox: Mailbox) { (self.drawer, self.mailbox) = (drawer, mailbox) }

  deinit { for task in tasks.values { task.cancel() } }

  /// Has these drawn, in this order; what was wanted before and is not among them is cancelled.
  func want(_ requests: [PictureRequest]) {
    let wanted = Set(requests)
    for (request, task) in tasks where !wanted.contains(request) {
      task.cancel()
      tasks[request] = nil
    }
    for request in requests where tasks[request] == nil {
      // It is cancelled where it is no longer wanted, and with the dealer.
      tasks[request] = Task { [drawer, mailbox] in
        do throws(DrawingFailure) {
          let picture = try await drawer.draw(request)
          mailbox.hand(request, .success(picture))
        } catch {
          mailbox.hand(request, .failure(error))
        }
      }
    }
  }

  /// Ends what draws, until something is wanted again.
  func rest() {
    want([])
    // It only closes what draws, and nobody waits for that.
    Task { [drawer] in await drawer.rest() }
  }
}

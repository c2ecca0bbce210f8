import Pictures

/// Draws the pictures that the list's screen needs now, and cancels others.
///
/// The screen's thread cannot wait for a drawing. The tasks touch only the drawer and the event queue, and are cancelled
/// with the scheduler. The picture worker ends when this process closes the connection.
final class PictureScheduler {
  private let drawer: PictureDrawer
  private let files: PictureFiles
  private let eventQueue: ScreenEventQueue
  private var tasks: [PictureRequest: Task<Void, Never>] = [:]

  init(_ drawer: PictureDrawer, _ files: PictureFiles, _ eventQueue: ScreenEventQueue) {
    (self.drawer, self.files, self.eventQueue) = (drawer, files, eventQueue)
  }

  deinit { for task in tasks.values { task.cancel() } }

  /// Draws these pictures in order. Cancels earlier requests that are not among them.
  func want(_ requests: [PictureRequest]) {
    let wanted = Set(requests)
    for (request, task) in tasks where !wanted.contains(request) {
      task.cancel()
      tasks[request] = nil
    }
    for request in requests where tasks[request] == nil {
      // It is cancelled when no longer needed, and with the scheduler.
      tasks[request] = Task { [drawer, files, eventQueue] in
        do throws(DrawingFailure) {
          let picture = try await files.draw(request, by: drawer)
          eventQueue.append(request, .success(picture))
        } catch {
          eventQueue.append(request, .failure(error))
        }
      }
    }
  }

  /// Ends the picture worker until a picture is needed again.
  func rest() {
    want([])
    // It only closes the picture worker, and nobody waits for that.
    Task { [drawer] in await drawer.endChild() }
  }
}

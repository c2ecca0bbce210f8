// Pictures for the terminal. They come from strangers, so they are decoded and drawn by a process of its own,
// `media-picture`; here are the one who asks it, and the pictures that were drawn. Nothing here decodes anything.

import Dispatch
import Synchronization

/// Draws pictures, one at a time, in a child process. A picture that breaks the child costs that picture alone.
public final class PictureDrawer: Sendable {
  private typealias Answer = CheckedContinuation<Result<DrawnPicture, DrawingFailure>, Never>

  private struct Desk {
    var number: UInt64 = 0
    var waiting: [UInt64: Answer] = [:]
    var cancelled: Set<UInt64> = []
  }

  private let desk = Mutex(Desk())
  private let bench: Mutex<PictureBench>
  // The calls block; this keeps them off the threads that tasks run on, and in order.
  private let queue = DispatchQueue(label: "media.pictures")

  /// A drawer that runs `program` when the first picture is asked for.
  ///
  /// `memory` is how many bytes of drawn pictures are held; `patience` how long one picture may take; `now` the clock.
  public init(
    program: String, environment: [String: String], memory: Int, patience: Duration = .seconds(5),
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    bench = Mutex(
      PictureBench(program: program, environment: environment, memory: memory, patience: patience, now: now))
  }

  /// The picture, drawn now or before.
  ///
  /// One that is cancelled while it waits is never asked for; one that is cancelled while it is drawn is answered at
  /// once, and only held in memory when it comes. Throws what went wrong with this picture; the next may go well.
  public func draw(_ request: PictureRequest) async throws(DrawingFailure) -> DrawnPicture {
    let number = desk.withLock { desk in
      desk.number += 1
      return desk.number
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        guard wait(number, answer) else { return answer.resume(returning: .failure(.cancelled)) }
        queue.async { self.work(number, request) }
      }
    } onCancel: {
      cancel(number)
    }
    // A cancellation that came with the answer left its mark.
    desk.withLock { _ = $0.cancelled.remove(number) }
    return try result.get()
  }

  /// Ends the child, after the pictures that were asked for until now. The next picture begins another.
  public func rest() async {
    await withCheckedContinuation { done in
      queue.async {
        self.bench.withLock { $0.rest() }
        done.resume()
      }
    }
  }

  /// The bytes of the pictures in memory.
  var byteCount: Int { bench.withLock(\.byteCount) }

  /// The process that draws, where one runs.
  var process: Int32? { bench.withLock(\.process) }

  /// False where it was cancelled before it came here.
  private func wait(_ number: UInt64, _ answer: Answer) -> Bool {
    desk.withLock { desk in
      guard desk.cancelled.remove(number) == nil else { return false }
      desk.waiting[number] = answer
      return true
    }
  }

  private func cancel(_ number: UInt64) {
    let answer = desk.withLock { desk in
      let answer = desk.waiting.removeValue(forKey: number)
      // It has not come here yet, or it was answered already.
      if answer == nil { desk.cancelled.insert(number) }
      return answer
    }
    answer?.resume(returning: .failure(.cancelled))
  }

  private func work(_ number: UInt64, _ request: PictureRequest) {
    guard desk.withLock({ $0.waiting[number] != nil }) else { return }
    let result = bench.withLock { $0.draw(request) }
    desk.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: result)
  }
}

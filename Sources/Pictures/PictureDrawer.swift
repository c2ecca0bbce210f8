// Pictures for the terminal. They are untrusted, so a separate process, `media-picture`, decodes and draws them. This
// module has its client and a cache of drawn pictures. It decodes nothing.

import Dispatch
import Synchronization

/// Draws pictures, one at a time, in a child process. A picture that breaks the child does not affect other pictures.
public final class PictureDrawer: Sendable {
  private typealias Answer = CheckedContinuation<Result<DrawnPicture, DrawingFailure>, Never>

  private struct State {
    var number: UInt64 = 0
    var waiting: [UInt64: Answer] = [:]
    var cancelled: Set<UInt64> = []
  }

  private let state = Mutex(State())
  private let worker: Mutex<PictureWorker>
  // The calls block. The queue keeps them in order, and off the threads on which tasks run.
  private let queue = DispatchQueue(label: "media.pictures")

  /// A drawer that starts `program` when the first picture is requested.
  ///
  /// - Parameters:
  ///   - program: The path of `media-picture`.
  ///   - environment: The environment of this process. The child gets only the paths of libraries and decoders.
  ///   - memory: The maximum size of the cache in bytes.
  ///   - timeLimit: The time limit for one picture.
  ///   - now: The clock.
  public init(
    program: String, environment: [String: String], memory: Int, timeLimit: Duration = .seconds(5),
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    let program = WorkerChild.Program(path: program, environment: environment, timeLimit: timeLimit, now: now)
    worker = Mutex(PictureWorker(program, memory: memory))
  }

  /// Draws a picture, or returns a cached one.
  ///
  /// A request that is cancelled while it waits is never sent. If it is cancelled while the child draws, this returns at
  /// once, and the picture is only cached.
  ///
  /// - Throws: The failure of this picture. The next one may succeed.
  public func draw(_ request: PictureRequest) async throws(DrawingFailure) -> DrawnPicture {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        guard wait(number, answer) else { return answer.resume(returning: .failure(.cancelled)) }
        queue.async { self.perform(number, request) }
      }
    } onCancel: {
      cancel(number)
    }
    // Remove the entry of a cancellation that came at the same time as the answer.
    state.withLock { _ = $0.cancelled.remove(number) }
    return try result.get()
  }

  /// Ends the child after the pictures requested so far. The next picture starts another.
  public func endChild() async {
    await withCheckedContinuation { done in
      queue.async {
        self.worker.withLock { $0.endChild() }
        done.resume()
      }
    }
  }

  /// The size of the cached pictures in bytes.
  var byteCount: Int { worker.withLock(\.byteCount) }

  /// The child process; nil if none runs.
  var process: Int32? { worker.withLock(\.process) }

  /// Returns false if the request was cancelled before.
  private func wait(_ number: UInt64, _ answer: Answer) -> Bool {
    state.withLock { state in
      guard state.cancelled.remove(number) == nil else { return false }
      state.waiting[number] = answer
      return true
    }
  }

  private func cancel(_ number: UInt64) {
    let answer = state.withLock { state in
      let answer = state.waiting.removeValue(forKey: number)
      // The request is not registered yet, or it was already answered.
      if answer == nil { state.cancelled.insert(number) }
      return answer
    }
    answer?.resume(returning: .failure(.cancelled))
  }

  private func perform(_ number: UInt64, _ request: PictureRequest) {
    guard state.withLock({ $0.waiting[number] != nil }) else { return }
    let result = worker.withLock { $0.draw(request) }
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: result)
  }
}

import Dispatch
import Foundation
import Machine
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BlockingExecutorTests {
  private struct Refused: Error, Equatable {}

  @Test func `calls run in the order in which an actor made them`() async {
    let submitter = Submitter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask { await submitter.submit(number) }
      }
    }
    #expect(await submitter.submitted == submitter.ran)
  }

  @Test func `an executor runs one call at a time`() async {
    let executor = BlockingExecutor("one")
    let load = Load()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await executor.run {
            load.begin()
            sched_yield()
            load.end()
          }
        }
      }
    }
    #expect(load.most == 1)
  }

  @Test func `executors do not wait for each other, nor tasks for calls that block`() async {
    let gate = DispatchSemaphore(value: 0)
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let begun = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          await BlockingExecutor("blocked \(number)").run {
            begun.continuation.yield()
            gate.wait()
          }
        }
      }
      // All of them block at once, and this task goes on.
      var iterator = begun.stream.makeAsyncIterator()
      for _ in 0..<count { await iterator.next() }
      for _ in 0..<count { gate.signal() }
    }
  }

  @Test func `a cancelled caller's call runs, and the caller learns its result`() async {
    let executor = BlockingExecutor("cancelled")
    let (gate, begun) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
    let first = Task {
      await executor.run { () -> Int in
        begun.continuation.yield()
        gate.wait()
        return 1
      }
    }
    var iterator = begun.stream.makeAsyncIterator()
    await iterator.next()
    let second = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await executor.run { 2 }
    }
    first.cancel()
    gate.signal()
    #expect(await first.value == 1)
    #expect(await second.value == 2)
  }

  @Test func `an error reaches the caller, and later calls run`() async throws {
    let executor = BlockingExecutor("errors")
    await #expect(throws: Refused()) { try await executor.run { () throws(Refused) -> Int in throw Refused() } }
    #expect(await executor.run { 3 } == 3)
  }

  @Test func `a call runs even if its executor is released`() async {
    #expect(await Self.run { 4 } == 4)
  }

  private static func run(_ work: @escaping @Sendable () -> Int) async -> Int {
    await BlockingExecutor("released").run(work)
  }
}

private actor Submitter {
  private let executor = BlockingExecutor("order")
  private let log = Mutex<[Int]>([])
  private(set) var submitted: [Int] = []

  nonisolated var ran: [Int] { log.withLock { $0 } }

  func submit(_ number: Int) async {
    submitted.append(number)
    await executor.run { [self] in log.withLock { $0.append(number) } }
  }
}

/// Counts calls that run at once.
private final class Load: Sendable {
  private let state = Mutex((now: 0, most: 0))

  var most: Int { state.withLock(\.most) }

  func begin() {
    state.withLock { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
  }

  func end() { state.withLock { $0.now -= 1 } }
}

import Foundation
import HTTP
import ScriptedOrigin
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExecutorTests {
  private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)

  @Test func `a task runs on the session's thread between its requests`() async throws {
    let server = try RawServer([[.say(Self.answer), .say(Self.answer)]])
    let session = HTTPTests.session()
    let seen = Mutex<pthread_t?>(nil)
    let sink = WatchedSink { seen.withLock { $0 = pthread_self() } }
    let threads = try await withTaskExecutorPreference(session.executor) {
      var threads = [pthread_self()]
      for _ in 0..<2 {
        _ = try await session.transport.download(Request(.get, server.url), sink)
        async let child = pthread_self()
        threads += [await child, pthread_self()]
      }
      return threads
    }
    let sinkThread = try #require(seen.withLock { $0 })
    #expect(threads.count == 5 && threads.allSatisfy { $0 == sinkThread })
  }

  @Test func `endless work does not keep a request from its answer`() async throws {
    let server = try RawServer([[.say(Self.answer)]])
    let session = HTTPTests.session()
    let isAnswered = Mutex(false)
    async let work: Void = withTaskExecutorPreference(session.executor) {
      while !isAnswered.withLock({ $0 }) { await Task.yield() }
    }
    let response = try await session.transport.send(Request(.get, server.url))
    isAnswered.withLock { $0 = true }
    await work
    #expect(response.body == Array("hi".utf8))
  }

  @Test func `a task continues after the session has ended`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session()
    let task = Task(executorPreference: session.executor) {
      await failure { () throws(TransportError) in try await session.transport.send(Request(.get, server.url)) }
    }
    while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    await session.shutdown()
    #expect(await task.value == .cancelled)
    #expect(await Task(executorPreference: session.executor) { 2 }.value == 2)
  }
}

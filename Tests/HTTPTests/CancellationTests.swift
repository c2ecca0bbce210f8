import Foundation
import HTTP
import ScriptedOrigin
import Testing

@Suite struct CancellationTests {
  private func run(_ server: RawServer, _ session: Session) -> Task<TransportError?, Never> {
    Task {
      await failure { () throws(TransportError) in try await session.transport.send(Request(.get, server.url)) }
    }
  }

  @Test func `cancelling a task ends its request at once`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session()
    let task = run(server, session)
    while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test func `a task cancelled before its request sends nothing`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(TransportError) in try await session.transport.send(Request(.get, server.url)) }
    }
    #expect(await task.value == .cancelled)
    #expect(server.connections == 0)
  }

  @Test func `a queued request can be cancelled`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session(.init(requests: 1))
    let first = run(server, session)
    while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    let second = run(server, session)
    second.cancel()
    #expect(await second.value == .cancelled)
    #expect(server.connections == 1)
    first.cancel()
    _ = await first.value
  }

  @Test func `a session that shuts down ends its requests and accepts no more`() async throws {
    let server = try RawServer([[.silence]])
    let session = HTTPTests.session()
    let task = run(server, session)
    while server.heads.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    await session.shutdown()
    #expect(await task.value == .cancelled)
    #expect(await run(server, session).value == .cancelled)
    await session.shutdown()
    #expect(server.connections == 1)
  }

  @Test func `an unused session shuts down`() async {
    await HTTPTests.session().shutdown()
  }

  @Test func `any storm of requests and cancellations ends each request once`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try await withOrigin(Script(posts: 40)) { origin in
      let session = HTTPTests.session(.init(downloads: 4, requests: 2))
      let paths = origin.script.posts.flatMap(\.attachments).map(\.path)
      var chance = Chance(seed: seed)
      let tasks = (0..<300).map { number in
        let task = Task {
          try? await session.transport.download(Request(.get, origin.url + paths[number % paths.count]), TestSink())
        }
        if Int.random(in: 0..<3, using: &chance) == 0 { task.cancel() }
        return (task, task.isCancelled)
      }
      for (task, cancelled) in tasks {
        let answer = await task.value
        #expect(cancelled || answer?.status == 200, "seed \(seed)")
      }
      await session.shutdown()
    }
  }
}

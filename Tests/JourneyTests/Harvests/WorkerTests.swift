import Folders
import Foundation
import HTTP
import Harvest
import Machine
import MediaLibrary
import PostgreSQLServer
import ScriptedOrigin
import Storage
import Synchronization
import Testing

@testable import media

/// `media harvest --workers`
@Suite(.timeLimit(.minutes(10))) struct WorkerTests {
  @Test func `workers of two machines pull each feed once, and end as they are told`() async throws {
    let machines = try [Sandbox(), Sandbox()]
    let address = try PostgreSQLServer.shared().newURI("blobs=\(machines[0].folder)/pictures")
    let sandboxes = machines.map { made in
      var sandbox = made
      sandbox.environment["MEDIA_HOME"] = address
      return sandbox
    }
    let tags = (1...6).map { "tag\($0)" }
    try await withOrigin(Script(posts: 30)) { origin in
      for tag in tags {
        #expect(try await sandboxes[0].media("follow", "\(tag)@\(origin.url)", "--unchecked").status == 0)
      }
      let workers = try sandboxes.map { try $0.begin("harvest", "--workers", "2") }
      for worker in workers { try await worker.says("2 workers pull what is due") }
      while try await sandboxes[0].media("runs", "--json").objects().count(where: { $0["state"] as? String == "done" })
        < tags.count
      {
        try await Task.sleep(for: .milliseconds(100))
      }
      for worker in workers { worker.signal(SIGTERM) }
      for worker in workers { #expect(try await worker.end().status == 0) }
      for tag in tags { #expect(origin.requests(to: "/api/v1/timelines/tag/\(tag)").count == 1, "\(tag)") }
      let runs = try await sandboxes[1].media("runs", "--json").objects()
      #expect(runs.count == tags.count && runs.allSatisfy { $0["state"] as? String == "done" }, "\(runs)")
      let follows = try await sandboxes[1].media("follows", "--json").objects()
      #expect(follows.count == tags.count)
      #expect(try await sandboxes[1].media("check").status == 0)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a machine that cannot store pictures leaves the feeds to the others`() async throws {
    let (broken, whole) = (try Sandbox(), try Sandbox())
    let address = try PostgreSQLServer.shared().newURI()
    func place(_ sandbox: Sandbox, _ blobs: String) -> Sandbox {
      var sandbox = sandbox
      sandbox.environment["MEDIA_HOME"] = "\(address)&blobs=\(blobs)"
      return sandbox
    }
    let (one, other) = (place(broken, "/dev/null/pictures"), place(whole, "\(whole.folder)/pictures"))
    try await withOrigin(Script(posts: 30)) { origin in
      #expect(try await one.media("follow", "cats@\(origin.url)", "--every", "1m", "--unchecked").status == 0)
      let before = try await one.media("follows", "--json").object()
      let failed = try await one.media("harvest", "--due")
      #expect(failed.status == 74, "\(failed.errors)")
      let after = try await one.media("follows", "--json").object()
      #expect(after["state"] as? String == before["state"] as? String, "\(after)")
      #expect(after["due_at"] as? String == before["due_at"] as? String, "\(after)")
      let pulled = try await other.media("harvest", "--due")
      #expect(pulled.status == 0, "\(pulled.errors)")
      #expect(try await other.media("follows", "--json").object()["state"] as? String == "well")
      let checked = try await other.media("check")
      #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    }
  }

  @Test func `workers wait while garbage is collected on their machine, and look again after each wait`() async throws {
    let (made, own) = (try Sandbox(), try Scratch())
    let address = try PostgreSQLServer.shared().newURI("blobs=\(made.folder)/pictures")
    try await withOrigin(Script(posts: 30)) { origin in
      var sandbox = made
      sandbox.environment["MEDIA_HOME"] = address
      #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--unchecked").status == 0)
      let store = try Store.open(library: try #require(LibraryAddress(address)))
      defer { store.close() }
      let collector = try PictureLock(library: own.path).acquireExclusive()
      let waits = Mutex<[Duration]>([])
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let time = TimeSource(
        now: { Date() },
        sleep: { wait in
          let count = waits.withLock { waits in
            waits.append(wait)
            return waits.count
          }
          guard count >= 20 else { return await Task.yield() }
          end.finish()
          try await Task.sleep(for: .seconds(600))
        }, chance: { 0.5 })
      let runner = try App(try GlobalOptions.parse(["--quiet", "--library", own.path])).harvestRunner(
        in: store, json: false)
      let workers = HarvestWorkers(
        console: Console(isQuiet: true), store: store, leases: try #require(store.leases),
        locks: FeedLocks(library: own.path).shared(by: store), runner: runner, accountsChangedAt: nil, time: time,
        clock: LibraryClock { Date() }, plan: PullPlan(.harvest, pages: nil, pictures: true, avatars: true),
        manager: ServiceManager([:]), tally: RequestTally())
      let work = Task { try await workers.run(2) }
      for await _ in ended {}
      work.cancel()
      _ = await work.result
      withExtendedLifetime(collector) {}
      // A worker that finds nothing that it may do waits for two seconds, and one that looks for pictures for half a minute.
      #expect(
        waits.withLock { $0.allSatisfy { [.seconds(2), .seconds(30)].contains($0) } }, "\(waits.withLock(\.self))")
      #expect(origin.requests(to: "/api/v1/timelines/tag/cats").isEmpty)
      #expect(try store.runs(limit: 9).isEmpty)
    }
  }

  @Test(.inFolders) func `workers want a library that machines share`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("harvest", "--workers", "2")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("workers want a library that machines share, and this one is a folder"))
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/media.sqlite"))
    #expect(try await sandbox.media("harvest", "--workers", "0").status == 64)
    #expect(try await sandbox.media("harvest", "--workers", "2", "--due").status == 64)
  }
}

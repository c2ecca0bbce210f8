import Foundation
import HTTP
import Harvest
import Posts
import Synchronization
import Testing

struct FeedLocksTests {
  private let cats = Feed(source: .mastodon, kind: .tag, value: "cats", server: Server("a.example")!)
  private let birds = Feed(source: .mastodon, kind: .tag, value: "birds", server: Server("a.example")!)

  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locks-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a feed is held by one pull at a time, the next goes on when it is let go`() async throws {
    let locks = FeedLocks(library: try folder())
    let first = Mutex(try await Optional(locks.hold(cats, time: .system) {}))
    let waits = Mutex(0)
    // The first pull ends during the second one's pause.
    let time = TimeSource(now: { Date() }, sleep: { _ in first.withLock { $0 = nil } }, chance: { 0 })
    let second = try await locks.hold(cats, time: time) { waits.withLock { $0 += 1 } }
    #expect(waits.withLock { $0 } == 1)
    withExtendedLifetime(second) {}
  }

  @Test func `pulls of different feeds do not wait for each other`() async throws {
    let locks = FeedLocks(library: try folder())
    let first = try await locks.hold(cats, time: .system) { Issue.record("nobody holds it") }
    let second = try await locks.hold(birds, time: .system) { Issue.record("nobody holds it") }
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a pull that is stopped while it waits stops`() async throws {
    let locks = FeedLocks(library: try folder())
    let first = try await locks.hold(cats, time: .system) {}
    let time = TimeSource(now: { Date() }, sleep: { _ in throw CancellationError() }, chance: { 0 })
    await #expect(throws: CancellationError.self) { _ = try await locks.hold(cats, time: time) {} }
    withExtendedLifetime(first) {}
  }

  @Test func `patience with a pull that comes to no end has one`() async throws {
    let locks = FeedLocks(library: try folder())
    let first = try await locks.hold(cats, time: .system) {}
    let waits = Mutex(0)
    let time = TimeSource(now: { Date() }, sleep: { _ in waits.withLock { $0 += 1 } }, chance: { 0 })
    await #expect(throws: FeedInUse.self) { _ = try await locks.hold(cats, within: .seconds(60), time: time) {} }
    #expect(waits.withLock { $0 } == 600)
    withExtendedLifetime(first) {}
  }

  @Test func `the locks stay those of the library when its folder is renamed and another one takes its name`()
    async throws
  {
    let old = try folder()
    let (locks, harvest, pictures) = (
      FeedLocks(library: old), HarvestLock(library: old), PictureLock(library: old)
    )
    #expect(rename(old, "\(old)-new") == 0)
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    let feed = try await locks.hold(cats, time: .system) {}
    let run = try harvest.acquire(now: noon)
    func held(in folder: String) -> [Bool] {
      [
        FeedLocks(library: folder).isHeld(cats), HarvestLock(library: folder).isHeld,
        PictureLock(library: folder).isHeld,
      ]
    }
    #expect(held(in: "\(old)-new") == [true, true, true])
    #expect(locks.isHeld(cats) && harvest.isHeld && pictures.isHeld)
    #expect(held(in: old) == [false, false, false])
    withExtendedLifetime((feed, run)) {}
  }

  @Test func `if no lock can be made the reason is reported`() async throws {
    let locks = FeedLocks(library: "/proc/none")
    do {
      _ = try await locks.hold(cats, time: .system) {}
      Issue.record("a lock was made where no file can be")
    } catch {
      #expect("\(error)".hasPrefix("no lock can be made in /proc/none/locks"))
    }
  }
}

import Folders
import Foundation
import HTTP
import Harvest
import Posts
import Synchronization
import Testing

struct PictureLockTests {
  private let cats = Feed(source: .mastodon, kind: .tag, value: "cats", server: Server("a.example")!)

  @Test func `many bring pictures at once, and meanwhile nobody takes any away`() async throws {
    let scratch = try Scratch()
    let lock = PictureLock(library: scratch.path)
    #expect(!lock.isHeld)
    let first = Mutex(try await Optional(lock.share(time: .system)))
    let second = Mutex(try Optional(lock.acquireSharedBlocking()))
    #expect(lock.isHeld)
    first.withLock { $0 = nil }
    let own = "process \(ProcessInfo.processInfo.processIdentifier)"
    let refusal = #expect(throws: PicturesInUse.self) { try lock.acquireExclusive() }
    #expect(refusal?.holder?.hasPrefix(own) == true)
    #expect(refusal?.exitCode == .tryLater)
    second.withLock { $0 = nil }
    #expect(!lock.isHeld)
    withExtendedLifetime(try lock.acquireExclusive()) { #expect(lock.isHeld) }
  }

  /// A process that another thread is starting has this process's open files until it runs its program.
  @Test func `a lock ends when it is let go, whoever has its file open besides`() throws {
    let scratch = try Scratch()
    let lock = PictureLock(library: scratch.path)
    let held = Mutex(try Optional(lock.acquireExclusive()))
    let folder = "/proc/self/fd"
    let isLock = { (file: String) in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
      return target?.hasSuffix("\((scratch.path as NSString).lastPathComponent)/locks/pictures") == true
    }
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first(where: isLock))
    let other = dup(try #require(Int32(file)))
    defer { close(other) }
    #expect(lock.isHeld)
    held.withLock { $0 = nil }
    #expect(!lock.isHeld)
    withExtendedLifetime(try lock.acquireExclusive()) {}
  }

  @Test func `a pull waits until nobody takes pictures away`() async throws {
    let scratch = try Scratch()
    let alone = Mutex(try Optional(PictureLock(library: scratch.path).acquireExclusive()))
    let pauses = Mutex(0)
    let time = TimeSource(
      now: { Date() },
      sleep: { _ in
        pauses.withLock { $0 += 1 }
        alone.withLock { $0 = nil }
      }, chance: { 0 })
    let locks = FeedLocks(library: scratch.path)
    let waits = Mutex(0)
    let held = try await locks.hold(cats, time: time) { waits.withLock { $0 += 1 } }
    #expect(pauses.withLock { $0 } == 1)
    #expect(waits.withLock { $0 } == 1)
    #expect(throws: PicturesInUse.self) { try PictureLock(library: scratch.path).acquireExclusive() }
    withExtendedLifetime(held) {}
  }
}

import Foundation
import HTTP
import Harvest
import Synchronization
import Testing

struct HarvestLockTests {
  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("harvest-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a second harvest is told who holds the lock, and since when`() throws {
    let lock = HarvestLock(library: try folder())
    #expect(!lock.isHeld)
    let held = try lock.acquire(now: noon)
    #expect(lock.isHeld)
    let error = #expect(throws: HarvestUnderWay.self) { try lock.acquire(now: noon.addingTimeInterval(60)) }
    #expect(error?.since == noon)
    #expect(error?.holder?.hasPrefix("process \(getpid())") == true)
    #expect(error?.description.contains("another harvest is under way: process \(getpid())") == true)
    #expect(error?.description.hasSuffix("try again when it is done, or wait for it with --wait") == true)
    #expect(error?.exitCode == .tryLater)
    withExtendedLifetime(held) {}
  }

  @Test func `it ends with its holder`() throws {
    let lock = HarvestLock(library: try folder())
    do { withExtendedLifetime(try lock.acquire(now: noon)) {} }
    withExtendedLifetime(try lock.acquire(now: noon)) {}
  }

  @Test func `a waiting harvest gets the lock when it is released, and reports the wait once`() async throws {
    let lock = HarvestLock(library: try folder())
    let first = Mutex(Optional(try lock.acquire(now: noon)))
    let pauses = Mutex(0)
    let time = TimeSource(
      now: { noon },
      sleep: { _ in
        if pauses.withLock({
          $0 += 1; return $0
        }) == 3 {
          first.withLock { $0 = nil }
        }
      },
      chance: { 0 })
    var reports = 0
    let second = try await lock.acquire(within: nil, time: time) { _ in reports += 1 }
    #expect((reports, pauses.withLock { $0 }) == (1, 3))
    withExtendedLifetime(second) {}
  }

  @Test func `patience ends`() async throws {
    let lock = HarvestLock(library: try folder())
    let held = try lock.acquire(now: noon)
    let clock = MadeUpClock()
    let slow = TimeSource(
      now: clock.timekeeper.now, sleep: { _ in clock.pass(1) }, chance: { 0 })
    await #expect(throws: HarvestUnderWay.self) {
      _ = try await lock.acquire(within: .seconds(30), time: slow) { _ in }
    }
    #expect(slow.now().timeIntervalSince(noon) == 30)
    withExtendedLifetime(held) {}
  }
}

import Folders
import Posts
import Storage
import Testing

/// The disk that loses what was not synced can tell a store that syncs from one that does not.
struct PowerLossTests {
  private func posts(after disk: UnreliableDisk) throws -> Int {
    let left = try disk.afterPowerLoss()
    let store = try Store.open(library: left.path, now: noon)
    defer { store.close() }
    return try store.stats().posts
  }

  @Test func `a page is lost until something after it is synced`() throws {
    let scratch = try Scratch()
    let disk = try UnreliableDisk(scratch)
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 2), now: noon)
    _ = try store.save(page([3, 2]), in: pull, now: noon)
    #expect(try posts(after: disk) == 0)
    try store.set("colour", to: "blue")
    _ = try store.save(page([1]), in: pull, now: noon)
    #expect(try posts(after: disk) == 2)
    store.close()
    #expect(try posts(after: disk) == 3)
  }
}

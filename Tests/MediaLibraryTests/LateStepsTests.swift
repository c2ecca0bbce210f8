import Folders
import Synchronization
import Testing

@testable import MediaLibrary
@testable import Storage

struct LateStepsTests {
  private let folder: Scratch
  private let store: Store

  init() throws {
    folder = try Scratch()
    store = try Store.open(library: folder.path, now: noon)
  }

  /// Runs steps of which some are left, and returns how many were done.
  private func count(left: Int, failsAt failing: Int = .max, _ wait: (Duration) async throws -> Void) async -> Int {
    let done = Mutex(0)
    let steps = LateSteps(size: 7, pause: .milliseconds(3)) { _, _ throws(StorageError) in
      let number = done.withLock {
        $0 += 1
        return $0
      }
      if number == failing { throw StorageError.busy(path: "") }
      return number < left
    }
    await steps.run(in: store, wait)
    return done.withLock(\.self)
  }

  @Test func `steps are done until nothing is left, with a pause after each but the last`() async {
    let pauses = Mutex<[Duration]>([])
    #expect(await count(left: 4) { pause in pauses.withLock { $0.append(pause) } } == 4)
    #expect(pauses.withLock { $0.map { $0 >= .milliseconds(3) } } == [true, true, true])
  }

  @Test func `a step has as many posts as take a moment, and at most twice as many as the one before`() {
    var size = 20
    let sizes = [1, 1, 40, 200, 10_000, 20].map { milliseconds in
      size = LateSteps.size(after: size, taking: .milliseconds(milliseconds))
      return size
    }
    #expect(sizes == [40, 80, 40, 4, 1, 1])
    for _ in 0..<20 { size = LateSteps.size(after: size, taking: .zero) }
    #expect(size == 1000)
  }

  /// As a migration leaves posts that an earlier version stored.
  @Test func `words that wait get into the index, from where an earlier process ended`() async throws {
    _ = try Library(store: store, blobs: DiskBlobs(library: folder.path), folder: folder.path) { noon }
      .save([page((1...25).reversed().map { post($0) })], of: cats)
    try store.write { db in
      try db.execute("DELETE FROM searched_text; INSERT INTO caption_fts (caption_fts) VALUES ('rebuild')")
      try db.execute("INSERT INTO setting (name, value) SELECT 'words-read', max(id) + 1 FROM post")
    }
    func indexed() throws -> Int? { try store.read { try $0.value("SELECT count(*) FROM searched_text") } }
    await LateSteps.words.run(in: store) { _ in throw CancellationError() }
    #expect(try indexed() == 10 && store.awaitsWords())
    await LateSteps.words.run(in: store) { _ in }
    #expect(try indexed() == 25 && !store.awaitsWords())
    #expect(try store.posts(PostQuery(search: "Ada", limit: nil)).count == 25)
  }

  @Test func `a step that fails is the last one`() async {
    #expect(await count(left: 4, failsAt: 2) { _ in } == 2)
  }

  @Test func `a cancelled wait ends the steps`() async {
    #expect(await count(left: 4) { _ in throw CancellationError() } == 1)
  }
}

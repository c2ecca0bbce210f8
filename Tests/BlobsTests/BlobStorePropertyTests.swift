import Blobs
import PropertyTesting
import Testing

/// A store and a dictionary of bytes go through the same.
private struct Course {
  let store: any BlobStoring
  var dice: Dice
  var model: [BlobID: [UInt8]] = [:]
  /// Drafts under way, each with its bytes.
  var drafts: [(draft: any BlobReceiving, bytes: [UInt8])] = []
  /// What `stat` returned, for blobs not stored again since.
  var seen: [BlobID: BlobInfo] = [:]
  /// What `stat` returned, for blobs stored again since.
  var outdated: [BlobInfo] = []

  init(_ store: any BlobStoring, seed: UInt64) { (self.store, dice) = (store, Dice(state: seed)) }

  mutating func step() throws {
    switch dice.below(9) {
    case 0, 1: try begin()
    case 2: try grow()
    case 3: try drop()
    case 4, 5: try keep()
    case 6: try stat()
    case 7: try remove()
    default: try compare()
    }
  }

  /// Few different pieces, so that the same bytes come again.
  private mutating func piece() -> [UInt8] {
    Array(repeating: UInt8(dice.below(2)), count: [0, 1, 3, 20_000, 70_000][dice.below(5)])
  }

  private mutating func begin() throws {
    guard drafts.count < 5 else { return }
    let bytes = piece()
    drafts.append((try store.draft(of: bytes), bytes))
  }

  private mutating func grow() throws {
    guard !drafts.isEmpty else { return }
    let (index, bytes) = (dice.below(drafts.count), piece())
    if dice.below(4) == 0 {
      try drafts[index].draft.reset()
      drafts[index].bytes = []
    }
    try bytes.withUnsafeBytes { try drafts[index].draft.write($0) }
    drafts[index].bytes += bytes
  }

  private mutating func drop() throws {
    guard !drafts.isEmpty else { return }
    let draft = drafts.remove(at: dice.below(drafts.count)).draft
    if dice.below(2) == 0 { draft.discard() }
  }

  private mutating func keep() throws {
    let count = dice.below(drafts.count + 1)
    let batch = Array(drafts.prefix(count))
    drafts.removeFirst(count)
    for (kept, entry) in zip(try store.keep(batch.map(\.draft)), batch) {
      #expect(kept.id == BlobID(hashing: entry.bytes) && kept.byteCount == entry.bytes.count)
      #expect(kept.wasStored == (model[kept.id] != nil))
      model[kept.id] = entry.bytes
      if let old = seen.removeValue(forKey: kept.id) { outdated.append(old) }
    }
  }

  private mutating func stat() throws {
    guard let id = model.keys.sorted(by: { $0.hex < $1.hex }).randomElement(using: &dice) else { return }
    let blob = try #require(try store.stat(id))
    #expect(blob.id == id && blob.byteCount == model[id]?.count)
    if let before = seen[id] { #expect(before == blob) }
    seen[id] = blob
  }

  private mutating func remove() throws {
    if let old = outdated.randomElement(using: &dice) { #expect(try !store.remove(old)) }
    guard let blob = seen.values.sorted(by: { $0.id.hex < $1.id.hex }).randomElement(using: &dice) else { return }
    seen[blob.id] = nil
    outdated.append(blob)
    #expect(try store.remove(blob) == (model.removeValue(forKey: blob.id) != nil))
  }

  mutating func compare() throws {
    let names = try store.names(limit: 1 + dice.below(5))
    #expect(names == model.keys.sorted { $0.hex < $1.hex })
    for (id, bytes) in model {
      let start = dice.below(bytes.count + 2)
      #expect(try store.fetch(id, start..<start + 50) == Array(bytes.dropFirst(start).prefix(50)))
    }
  }
}

@Suite struct BlobStorePropertyTests {
  @Test(arguments: BlobStoreFactory.all, PropertyTest.seeds(sample: 20, whole: 500))
  func `the store is a dictionary of bytes, whatever the order of operations`(
    factory: BlobStoreFactory, seed: UInt64
  ) throws {
    let (store, keeper) = try factory.store()
    defer { withExtendedLifetime(keeper) {} }
    var course = Course(store, seed: seed)
    for _ in 0..<120 { try course.step() }
    try course.compare()
    for (id, bytes) in course.model { #expect(try store.read(id) == bytes) }
    try store.eachResidue { Issue.record("\($0)") }
  }
}

import Blobs
import Foundation
import MemoryBlobs
import Posts
import PropertyTesting
import Storage

extension CareContract {
  static let keptTotals = StoreClaim("the totals of pictures equal what a check counts, after any edits") { library in
    for seed in PropertyTest.seeds(sample: 3, whole: 40) {
      var edits = PictureEdits(library: library, dice: Dice(state: seed))
      for step in 0..<30 {
        try edits.edit()
        if step % 3 == 0 { try edits.compare("seed \(seed), step \(step)") }
      }
    }
  }
}

/// Random edits of a library's pictures, the same for the same seed.
private struct PictureEdits {
  let library: NewLibrary
  var dice: Dice
  private let blobs = MemoryBlobs { noon }
  private var now = noon

  init(library: NewLibrary, dice: Dice) { (self.library, self.dice) = (library, dice) }

  mutating func edit() throws {
    now += Double(dice.below(30)) * 7 * 3600
    let store = library.store
    switch dice.below(10) {
    case 0, 1: _ = try library.pull((0..<3).map { _ in post(dice.below(40), pictures: dice.below(3)) })
    case 2, 3, 4: try download()
    case 5: try store.delete(some(), now: now)
    case 6: try store.restore(some(), now: now)
    case 7: _ = try store.collectGarbage(in: blobs, trash: now, grace: now, dryRun: false) { _ in }
    case 8: try mergeCopies()
    default: try lose()
    }
  }

  /// The totals against a check.
  func compare(_ hint: String) throws {
    var wrong: [String] = []
    let result = try library.other.check(
      blobs, CheckPlan(), now: now, isPulling: { false }, onStep: { _ in },
      found: { finding, _ in if finding.kind == .count { wrong.append("\(hint): \(finding.detail)") } })
    try expect(wrong, [])
    let stats = try library.other.stats()
    try expect(["\(hint)", "\(stats.blobs)", "\(stats.blobBytes)"], [hint, "\(result.blobs)", "\(result.blobBytes)"])
    try expect(try library.other.blobTotals(), BlobTotals(count: result.blobs, bytes: result.blobBytes))
  }

  private mutating func some() -> [Int64] { (0..<3).map { _ in Int64.random(in: 1..<60, using: &dice) } }

  /// Some posts share their picture, and some pictures cannot be downloaded.
  private mutating func download() throws {
    let posts = try library.store.posts(PostQuery(limit: nil)).map(\.id)
    for task in try library.store.pictures(ofPosts: posts, now: now).prefix(4) {
      if dice.below(4) == 0 {
        _ = try library.store.fail([PictureFailure(owner: task.owner, reason: "no answer")], now: now)
      } else {
        let blob = try CareContract.keep(String(repeating: "x", count: dice.below(12) + 1), in: blobs)
        try library.store.attach([(task, blob)], now: now)
      }
    }
  }

  /// Merges some of its own posts under other names.
  private mutating func mergeCopies() throws {
    var (records, stored): ([LibraryRecord], Set<BlobID>) = ([], [])
    try library.store.eachRecord(of: nil, raw: false) { record in
      guard case .post(var post) = record, dice.below(4) == 0 else { return }
      post[.uri] = .text("https://social.example/copies/\(dice.below(1000))")
      (post.aliases, post.items) = ([], [])
      records.append(.post(post))
    }
    try blobs.eachBlob { stored.insert($0.id) }
    try library.store.beginMerge()
    _ = try library.store.merge(records, stored: stored, dryRun: false, now: now)
  }

  /// Loses bytes, which a repair gives up.
  private func lose() throws {
    var lost: BlobInfo?
    try blobs.eachBlob { lost = $0 }
    guard let lost else { return }
    _ = try blobs.remove(lost)
    _ = try library.store.check(
      blobs, CheckPlan(repair: true, lost: true), now: now, isPulling: { false }, onStep: { _ in }, found: { _, _ in })
  }
}

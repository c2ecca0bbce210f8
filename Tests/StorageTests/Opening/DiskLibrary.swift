import Blobs
import Folders
import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

/// A library on the disk with posts, and with pictures whose bytes exist.
struct DiskLibrary {
  let scratch: Scratch
  let store: Store
  let blobs: DiskBlobs

  init() throws {
    scratch = try Scratch()
    store = try Store.open(library: scratch.path, now: noon)
    blobs = DiskBlobs(library: scratch.path)
  }

  /// Posts of cats with these numbers, with one stored picture each. The picture of a number always has the same bytes.
  @discardableResult
  func pull(_ numbers: ClosedRange<Int>, of feed: Feed = cats, now: Date = noon) throws -> [Int64] {
    let posts = numbers.reversed().map { number in
      var made = post(number, attachments: [picture("\(number)", id: "m\(number)")])
      made.author?.avatarURL = "https://files.example/ada.png"
      return made
    }
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: now)
    let saved = try store.save(page(posts), in: pull, now: now)
    try store.finishPull(pull, reached: true, now: now)
    for task in try store.pictures(ofPosts: saved.posts, now: now) {
      try keep(Array("picture of \(task.urls[0])".utf8), for: task, now: now)
    }
    return saved.posts
  }

  @discardableResult
  func keep(_ bytes: [UInt8], for task: PictureTask, now: Date = noon) throws -> BlobID {
    let kept = try keep(bytes)
    try store.attach([(task, StoredBlob(id: kept.id, byteCount: kept.byteCount))], now: now)
    return kept.id
  }

  /// Stores bytes without a row.
  @discardableResult
  func keep(_ bytes: [UInt8]) throws -> Kept {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try blobs.keep([draft])[0]
  }

  /// The findings of a check, waste included.
  @discardableResult
  func check(
    repair: Bool = false, deep: Bool = false, lost: Bool = false, now: Date = Date().addingTimeInterval(60),
    isPulling: Bool = false,
    onStep: (CheckStep) -> Void = { _ in }
  ) throws -> (findings: [Finding], result: CheckResult) {
    var findings: [Finding] = []
    let check = LibraryCheck(store: store, blobs: blobs, now: now) { isPulling }
    let result = try check.run(repair: repair, deep: deep, lost: lost, onStep: onStep) { finding, _ in
      findings.append(finding)
    }
    return (findings, result)
  }

  /// The picture that a post shows.
  func blob(of post: Int64) throws -> BlobID {
    try #require(try store.post(post)?.post.attachments.first?.blob)
  }

  /// Writes rows without constraints.
  func spoil(_ sql: String) throws {
    try store.writer.use { db in
      try db.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try db.execute(sql)
      try db.execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    let whole = URL(fileURLWithPath: "\(scratch.path)/\(path)")
    try FileManager.default.createDirectory(at: whole.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: whole)
  }

  func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(scratch.path)/\(path)") }
}

import Foundation
import MediaLibrary

/// Makes a library of made-up posts, the same for the same seed: one feed, read to its end in one pull.
struct Maker {
  let count: Int

  /// Posts in one transaction.
  private static let pageSize = 2_000
  static let feed = Feed(source: .usual, kind: .tag, value: "cats", server: Writer.server)

  /// Does nothing if the library exists, and starts over if it is incomplete.
  func make(in folder: String) throws {
    let mark = "\(folder)/made-\(count)"
    if FileManager.default.fileExists(atPath: mark) { return }
    try? FileManager.default.removeItem(atPath: folder)
    let library = try Library(in: folder) { Date() }
    var writer = Writer(count: count)
    let store = library.store
    let pull = try store.beginPull(of: Self.feed, goal: PullGoal(), now: Date())
    var left = count
    while left > 0 {
      let size = min(left, Self.pageSize)
      left -= size
      let items = (0..<size).map { writer.item(left + size - 1 - $0) }
      let next = left == 0 ? Next.end : .after(Cursor("\(left)"))
      _ = try store.save(Page(items: items, next: next), in: pull, pictures: false, now: Date())
      if left % 50_000 == 0 { FileHandle.standardError.write(Data("\(count - left) of \(count) posts\n".utf8)) }
    }
    try store.finishPull(pull, reached: true, now: Date())
    library.close()
    try Data().write(to: URL(filePath: mark))
  }
}

import FetchedResults
import MediaLibrary
import Storage
import Terminal

/// Prints the newest posts of a list, and then every change of them as it comes, whichever process makes it.
struct ListFollower {
  let library: Library
  let list: PostListQuery
  /// How many of the newest posts are watched.
  let limit: Int
  let isJSON: Bool
  let console: Console

  /// Prints until the task is cancelled or the reader of standard output has gone.
  ///
  /// - Throws: `StorageError` where the library cannot be read, `Console.ClosedPipe` where the reader has gone.
  func run() async throws {
    let results = library.results(of: list, window: Window(after: limit))
    try await results.performFetch()
    for try await update in results.updates() {
      for line in try lines(of: update) { try console.result(line) }
    }
    try Task.checkCancellation()
  }

  private func lines(of update: Update<ListedPost>) throws -> [Inert] {
    let (old, new) = (update.previous, update.snapshot)
    var lines: [Inert] = []
    for index in update.changes.deletions where try hasLeft(old.rows[index], the: new) {
      lines.append(try line(.removed, old.rows[index].post))
    }
    // From the oldest to the newest, as a log is read.
    for index in update.changes.insertions.reversed() {
      let wasThere = update.isInitial || hasMovedUp(index, in: new, after: old)
      lines.append(try line(wasThere ? .listed : .inserted, new.rows[index].post))
    }
    let inserted = Set(update.changes.insertions)
    let changed = Set(update.changes.updates + update.changes.moves.map(\.to)).subtracting(inserted)
    for index in changed.sorted(by: >) { lines.append(try line(.updated, new.rows[index].post)) }
    return lines
  }

  /// Whether a row is no longer on the list, and was not only pushed below the posts that are watched.
  private func hasLeft(_ row: ListedPost, the new: Snapshot<ListedPost>) throws -> Bool {
    guard new.hasMoreAfter, let last = new.rows.last, last.key < row.key else { return true }
    return try library.snapshot(of: list, window: Window(anchor: row.key, before: 0, after: 1)).rows.first?.id != row.id
  }

  /// Whether a row stood below the watched posts before, and has moved up because others left.
  private func hasMovedUp(_ index: Int, in new: Snapshot<ListedPost>, after old: Snapshot<ListedPost>) -> Bool {
    guard old.hasMoreAfter, let last = old.rows.last else { return false }
    return last.key < new.rows[index].key
  }

  private func line(_ change: ChangeLine.Change, _ post: StoredPost) throws -> Inert {
    if isJSON { return try JSONText.line(ChangeLine(change: change, post: PostLine(post))) }
    let author = post.author.map { "\($0.handle)  " } ?? ""
    return "\(change.sign) \("\(post.id)")  \(TimeText().short(post.createdAt))  \(author)\(PostText.line(post))"
  }
}

/// A change of a list as `media list --follow --json` prints it: the post, and what became of it.
private struct ChangeLine: Encodable {
  enum Change: String, Encodable {
    /// It stood in the list already.
    case listed
    case inserted
    case updated
    case removed

    /// How a line of text begins.
    var sign: Inert {
      switch self {
      case .listed: " "
      case .inserted: "+"
      case .updated: "~"
      case .removed: "-"
      }
    }
  }

  let change: Change
  let post: PostLine

  private enum CodingKeys: String, CodingKey { case change }

  func encode(to encoder: any Encoder) throws {
    try post.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(change, forKey: .change)
  }
}

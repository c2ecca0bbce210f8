import Foundation
import MediaLibrary
import Storage
import Terminal

/// Prints the newest posts of a list, and then every change of the list as it comes, whichever process makes it and
/// however far down.
struct ListFollower {
  let library: Library
  let list: PostListQuery
  /// How many of the newest posts are printed first.
  let limit: Int
  let isJSON: Bool
  let console: Console

  /// Prints until the task is cancelled or the reader of standard output has gone.
  ///
  /// - Throws: `StorageError` where the library cannot be read, `Console.ClosedPipe` where the reader has gone.
  func run() async throws {
    // The watch begins before the posts are read: what is committed between is told once more, and not lost.
    let changes = library.store.changes()
    let newest = try await newestPosts()
    var members = try library.store.members(of: list)
    for post in newest {
      members.insert(Int(post.id))
      try console.result(try line(.listed, post))
    }
    for try await change in changes { try tell(change, &members) }
    try Task.checkCancellation()
  }

  /// The newest posts, the oldest of them first, as a log is read. When they are there, changes are watched.
  private func newestPosts() async throws -> [StoredPost] {
    var readings = library.store.observe(list, after: limit).makeAsyncIterator()
    return try await readings.next()?.rows.reversed().map(\.post) ?? []
  }

  /// Tells what a change did to the list. Its cost is that of the change, but where so much changed at once that it is
  /// not told apart: then only what came and what left is printed.
  private func tell(_ change: LibraryChange, _ members: inout IndexSet) throws {
    let before = members
    let changed: IndexSet
    // A handle that is another one makes the list another one.
    if case .posts(let posts, let authors) = change, list.user == nil || authors.isEmpty {
      let present = try IndexSet(library.store.members(of: list, among: posts, byAuthors: authors).map(Int.init))
      changed = present
      members.subtract(IndexSet(posts.map(Int.init)).subtracting(present))
      members.formUnion(present)
    } else {
      members = try library.store.members(of: list)
      if case .posts(let posts, _) = change { changed = IndexSet(posts.map(Int.init)) } else { changed = [] }
    }
    try tell(.removed, before.subtracting(members))
    try tell(.inserted, members.subtracting(before))
    try tell(.updated, changed.intersection(before).intersection(members))
  }

  private func tell(_ change: ChangeLine.Change, _ members: IndexSet) throws {
    for post in try library.store.posts(numbered: members.map(Int64.init)) {
      try console.result(try line(change, post))
    }
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
    /// It stood in the list at the beginning.
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

import FoundationEssentials
import HTTP
import MediaLibrary
import Storage
import Terminal
import Wording

/// Prints the newest posts of a list, then every change of the list, whichever process makes it and however far down.
struct ListFollower {
  let library: Library
  let list: PostListQuery
  /// How many of the newest posts are printed first.
  let limit: Int
  let isJSON: Bool
  let console: Console
  let time: TimeSource

  /// How long, in seconds, a server that went away is waited for, as streams of changes wait.
  private static let patience = 60

  /// Prints until the task is cancelled or the reader of standard output has closed it.
  ///
  /// - Throws: `StorageError` if the library cannot be read, `Console.ClosedPipe` if the reader has closed the pipe.
  func run() async throws {
    // Watching begins before the posts are read: a change committed in between is printed twice rather than lost.
    let changes = library.store.changes()
    let newest = try await newestPosts()
    var members = try library.store.members(of: list)
    for post in newest {
      members.insert(contentsOf: Int(post.id)..<Int(post.id) + 1)
      try console.result(try line(.listed, post))
    }
    for try await change in changes { try await follow(change, &members) }
    try Task.checkCancellation()
  }

  /// The newest posts, oldest first, as a log is read. Changes are watched from then on.
  private func newestPosts() async throws -> [StoredPost] {
    var readings = library.store.observe(list, after: limit).makeAsyncIterator()
    // The first reading may be a look at a part of the list.
    while let reading = try await readings.next() {
      if reading.lookedTo == nil { return reading.rows.reversed().map(\.post) }
    }
    return []
  }

  /// Prints a change of the list as soon as the library can be read.
  private func follow(_ change: LibraryChange, _ members: inout RangeSet<Int>) async throws {
    var failures = 0
    while true {
      do { return try write(change, &members) } catch StorageError.noServer where failures < Self.patience {
        failures += 1
        try await time.sleep(.seconds(1))
      }
    }
  }

  /// Prints a change of the list, or nothing if the library cannot be read. Its cost is proportional to the change. If too
  /// much changed at once to list the changes apart, prints only insertions and removals.
  private func write(_ change: LibraryChange, _ known: inout RangeSet<Int>) throws {
    let before = known
    var members = before
    let changed: RangeSet<Int>
    // Another author handle selects another list. Post 0, which is none, says that lists hold other posts than before.
    if case .posts(let own, let authors) = change, list.user == nil || authors.isEmpty, !own.contains(0) {
      guard case .posts(let posts, _) = list.isFolded ? try library.store.withLinks(change) : change else { return }
      let present = try Self.numbers(library.store.members(of: list, among: posts, byAuthors: authors))
      // What a list folds comes and goes with others, which did not change.
      changed = posts.count > own.count ? present.intersection(Self.numbers(own)) : present
      members.subtract(Self.numbers(posts).subtracting(present))
      members.formUnion(present)
    } else {
      members = try library.store.members(of: list)
      if case .posts(let posts, _) = change { changed = Self.numbers(posts) } else { changed = RangeSet() }
    }
    let lines =
      try lines(.removed, before.subtracting(members)) + lines(.inserted, members.subtracting(before))
      + lines(.updated, changed.intersection(before).intersection(members))
    known = members
    for line in lines { try console.result(line) }
  }

  private func lines(_ change: Change, _ members: RangeSet<Int>) throws -> [SafeText] {
    try library.store.posts(numbered: members.ranges.flatMap { $0.map(Int64.init) }).map { try line(change, $0) }
  }

  private static func numbers(_ posts: Set<Int64>) -> RangeSet<Int> {
    RangeSet(posts.sorted().map { Int($0)..<Int($0) + 1 })
  }

  private func line(_ change: Change, _ post: StoredPost) throws -> SafeText {
    if isJSON {
      var line = PostLine(post).members
      line["change"] = change
      return try JSONText.line(line)
    }
    let author = post.author.map { "\($0.handle)  " } ?? ""
    return "\(change.sign) \("\(post.id)")  \(MomentText().minute(post.createdAt))  \(author)\(PostText.line(post))"
  }
}

/// What happened to a post.
private enum Change: String, Encodable {
  /// The post was in the list at the beginning.
  case listed
  case inserted
  case updated
  case removed

  /// The prefix of a text line.
  var sign: SafeText {
    switch self {
    case .listed: " "
    case .inserted: "+"
    case .updated: "~"
    case .removed: "-"
    }
  }
}

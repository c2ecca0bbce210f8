import Foundation
import MediaLibrary

/// How long it takes from the end of a commit until a reader of a controller has its update. One post of the window is
/// deleted and restored in turn.
struct Changes {
  let library: Library
  let sample: Sample

  private static let rounds = 500

  func measure(into table: inout Table) async throws {
    let day = PostGrouping.day(TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    let lists = [
      ("library", PostListQuery()), ("tag", PostListQuery(tag: Maker.feed.value)),
      ("library by day", PostListQuery(grouping: day)), ("library by tag", PostListQuery(grouping: .tag)),
      ("library by author", PostListQuery(grouping: .author)),
      ("search, rare word", PostListQuery(search: "\(sample.words.rare) ")),
      ("search, common word", PostListQuery(search: "\(sample.words.common) ")),
    ]
    for (name, list) in lists {
      try await measure("change of another process, \(name)", list, into: &table) { ids in
        let other = try Writing(in: library.folder)
        return { place in
          try other.toggle(ids[place % ids.count])
          return { try other.committed() }
        }
      }
      try await measure("change of this process, \(name)", list, into: &table) { ids in
        var isDeleted = false
        return { _ in
          isDeleted.toggle()
          if isDeleted { try library.delete([ids[0]]) } else { try library.restore([ids[0]]) }
          let moment = Moment.now
          return { moment }
        }
      }
    }
  }

  /// A change begins where `begin` is called with its number; what that gives tells when it was committed.
  private func measure(
    _ name: String,
    _ list: PostListQuery,
    into table: inout Table,
    _ begin: ([Int64]) throws -> (Int) throws -> () throws -> Duration
  ) async throws {
    let results = library.results(of: list)
    try await results.performFetch()
    var updates = results.updates().makeAsyncIterator()
    guard let first = try await updates.next(), let post = first.rows.first?.post.id else { return }
    let change = try begin([post])
    var timings = Timings()
    for round in 0..<Self.rounds {
      let committed = try change(round)
      _ = try await updates.next()
      let seen = Moment.now
      timings.add(seen - (try committed()))
    }
    await results.stop()
    table.add(name, timings)
  }
}

/// Another process that deletes and restores posts as it is told.
final class Writing {
  private let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()

  init(in folder: String) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["write", folder]
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    _ = try committed()
  }

  func toggle(_ id: Int64) throws { try orders.fileHandleForWriting.write(contentsOf: Data("\(id)\n".utf8)) }

  /// When its last change was committed.
  func committed() throws -> Duration {
    var line = Data()
    while line.last != 10, let byte = try answers.fileHandleForReading.read(upToCount: 1) { line += byte }
    let text = String(decoding: line.dropLast(), as: UTF8.self)
    return .nanoseconds(Int64(text) ?? 0)
  }

  deinit {
    try? orders.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The other process: it says when it is ready, and after each change the moment of its commit.
  static func run(in folder: String) throws {
    let library = try Library(in: folder) { Date() }
    var deleted: Set<Int64> = []
    say(.zero)
    while let line = readLine(), let id = Int64(line) {
      if deleted.remove(id) == nil {
        deleted.insert(id)
        try library.delete([id])
      } else {
        try library.restore([id])
      }
      say(Moment.now)
    }
    library.close()
  }

  private static func say(_ moment: Duration) {
    FileHandle.standardOutput.write(Data("\(Int64(moment / .nanoseconds(1)))\n".utf8))
  }
}

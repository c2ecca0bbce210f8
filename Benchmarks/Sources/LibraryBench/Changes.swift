import Foundation
import MediaLibrary

/// Measures the time from the end of a commit until a controller's reader has the update. Posts of the window are deleted
/// and restored in turn by another process, in bursts of commits.
struct Changes {
  let library: Library
  /// The library's folder or address, for the other process.
  let location: String
  let sample: Sample
  var rounds = 500
  var bursts = [1, 2, 5, 20]

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
      for burst in bursts { try await measure(burst, name, list, into: &table) }
      try await measure(name, list, into: &table)
    }
  }

  /// How soon a list shows what another process marks, and in how many updates it shows a mark of very many posts.
  func measureMarks(into table: inout Table) async throws {
    for burst in bursts {
      try await measure(burst, "favourite in the library", PostListQuery(), isMarking: true, into: &table)
    }
    let results = library.results(of: PostListQuery())
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    guard let last = try await updates.next()?.rows.last?.post.id else { return }
    // The newest posts, which were stored first and are unseen.
    let ids = (1...min(10_000, Int64(sample.count))).map(\.self)
    let marking = try library.store.mark(
      ids, [.seen(true)], by: Marker(machine: "bench", program: .command), now: Date())
    // Whatever else came of it would come before this.
    try await Task.sleep(for: .seconds(1))
    try library.delete([last])
    var count = -1
    while let update = try await updates.next() {
      count += 1
      if !update.rows.contains(where: { $0.post.id == last }) { break }
    }
    await results.stop()
    try library.restore([last])
    table.add("updates of a window by a mark of \(marking.changed.count) posts", "\(count)")
  }

  /// Each commit of a burst is measured from its own end to the first update that includes it.
  func measure(
    _ burst: Int, _ name: String, _ list: PostListQuery, isMarking: Bool = false, into table: inout Table
  ) async throws {
    let results = library.results(of: list)
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    let shown =
      try await updates.next()?.rows.map(\.post).filter { !isMarking || !$0.marks.isFavourite }.map(\.id) ?? []
    // A post may be in several sections.
    let posts = shown.reduce(into: [Int64]()) { if !$0.contains($1) { $0.append($1) } }.prefix(burst).map(\.self)
    let other = try Writing(in: location)
    var timings = Timings()
    for round in 0..<max(rounds / burst, 50) {
      // Deletes, or takes marks away.
      let isTaking = round % 2 == (isMarking ? 1 : 0)
      try other.toggle(posts, isMarking: isMarking)
      var seen: [Int64: Duration] = [:]
      while seen.count < posts.count, let update = try await updates.next() {
        let now = Moment.now
        let present = Set(update.rows.lazy.map(\.post).filter { !isMarking || $0.marks.isFavourite }.map(\.id))
        for post in posts where seen[post] == nil && present.contains(post) != isTaking { seen[post] = now }
      }
      for post in posts { timings.add((seen[post] ?? .zero) - (try other.committed())) }
    }
    await results.stop()
    table.add("change of another process, burst of \(burst), \(name)", timings)
  }

  private func measure(_ name: String, _ list: PostListQuery, into table: inout Table) async throws {
    let results = library.results(of: list)
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    guard let post = try await updates.next()?.rows.first?.post.id else { return }
    var timings = Timings()
    for round in 0..<rounds {
      if round % 2 == 0 { try library.delete([post]) } else { try library.restore([post]) }
      let committed = Moment.now
      _ = try await updates.next()
      timings.add(Moment.now - committed)
    }
    await results.stop()
    table.add("change of this process, \(name)", timings)
  }
}

/// Another process that deletes and restores posts on request, or makes them favourites and takes that back.
final class Writing {
  private let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()

  init(in location: String) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["write", location]
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    _ = try committed()
  }

  /// Makes it delete or restore these posts, or mark them, each in its own transaction.
  func toggle(_ ids: [Int64], isMarking: Bool = false) throws {
    let line = (ids.map(String.init) + (isMarking ? ["mark"] : [])).joined(separator: " ")
    try orders.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The commit time of the next change that was not read yet.
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

  /// The other process: it reports when it is ready, and after each change the time of its commit.
  static func run(in location: String) throws {
    let library = try Library(at: location)
    let marker = Marker(machine: "bench", program: .terminal)
    var changed: Set<Int64> = []
    say(.zero)
    while let line = readLine() {
      for id in line.split(separator: " ").compactMap({ Int64($0) }) {
        let isNew = changed.insert(id).inserted
        if !isNew { changed.remove(id) }
        if line.hasSuffix("mark") {
          try library.store.mark([id], [.favourite(isNew)], by: marker, now: Date())
        } else if isNew {
          try library.delete([id])
        } else {
          try library.restore([id])
        }
        say(Moment.now)
      }
    }
    library.close()
  }

  private static func say(_ moment: Duration) {
    FileHandle.standardOutput.write(Data("\(Int64(moment / .nanoseconds(1)))\n".utf8))
  }
}

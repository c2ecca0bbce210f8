import Foundation
import MediaLibrary

/// Measures the first screen of lists that a filter makes, and marking many posts at once.
struct Filters {
  let library: Library
  let sample: Sample

  private static let rounds = 30
  /// How many posts are marked at once.
  private static let many = 10_000

  func measure(into table: inout Table) throws {
    let tags = sample.tags
    let terms = [
      "tag:\(tags[0])", "tag:\(tags[7])", "-tag:\(tags[1])", "by:\(sample.users[3])", "source:mastodon", "lang:en",
      "is:favourite", "is:unseen", "is:edited", "is:sensitive", "has:picture", "has:video", "has:note", "kind:image",
      "width:>1000", "ratio:portrait", "visibility:public", "rating:>=3", "own:print", "in:Bench", "since:2020",
      "on:2022-03", "stored:<1d", "sort:oldest", sample.words.rare, sample.words.common,
    ]
    try mark(into: &table)
    for term in terms { try screen(term, in: &table) }
    for three in [
      "tag:\(tags[1]) has:picture is:unseen", "\(sample.words.common) tag:\(tags[0]) rating:>=3",
      "is:favourite has:picture since:2020", "-tag:\(tags[1]) kind:image ratio:portrait",
      "(tag:\(tags[2]) OR tag:\(tags[3])) -is:sensitive", "own:print by:\(sample.users[3]) is:unseen",
    ] {
      try screen(three, in: &table)
    }
    for order in ["rating", "size", "random"] { try screen("sort:\(order)", in: &table) }
    try screen("tag:\(tags[7]) sort:rating", in: &table)
  }

  private func screen(_ text: String, in table: inout Table) throws {
    var timings = Timings()
    for _ in 0..<Self.rounds {
      var list = PostListQuery()
      list.filter = PostFilter(try Filter(parsing: text), now: Date())
      list = list.listed(at: Date())
      _ = try timings.time { try library.snapshot(of: list, window: Window(after: 50)) }
      // What takes a second need not be asked thirty times.
      if timings.percentile(50) > .milliseconds(200) { break }
    }
    table.add("first screen, \(text)", timings)
  }

  /// Marks posts all over the library, and takes it back.
  private func mark(into table: inout Table) throws {
    let marker = Marker(machine: "bench", program: .command)
    let count = min(Self.many, sample.count)
    let ids = (0..<count).map { Int64($0 * sample.count / count + 1) }
    if try library.store.albumNames().isEmpty { try library.store.createAlbum("Bench", by: marker, now: Date()) }
    let marks: [Mark] = [.favourite(true), .rating(4), .ownTag("print"), .note("a note")]
    for (name, marks) in [("favourite", [Mark.favourite(true)]), ("four marks", marks)] {
      var (marking, undoing) = (Timings(), Timings())
      for _ in 0..<3 {
        let change = try marking.time { try library.store.mark(ids, marks, by: marker, now: Date()).change }
        guard let change else { throw CocoaError(.fileReadUnknown) }
        _ = try undoing.time { try library.store.undo(change, by: marker, now: Date()) }
      }
      table.add("\(name) of \(count) posts", marking)
      table.add("\(name) of \(count) posts, undone", undoing)
    }
    try library.store.mark(ids, marks, by: marker, now: Date())
    try library.store.add(ids, toAlbum: "Bench", by: marker, now: Date())
  }
}

import Foundation
import MediaLibrary

/// Measures the first screen of lists that a filter makes, and marking many posts at once.
struct Filters {
  let library: Library
  let sample: Sample

  private static let rounds = 30
  /// How many posts are marked at once.
  private static let many = 10_000

  /// What a term of each key asks for.
  private var examples: [FilterKey: [String]] {
    [
      .tag: [sample.tags[0], sample.tags[7]], .own: ["print", "own00077", "often"], .album: ["Bench"],
      .saved: ["Bench"],
      .rating: ["5", ">=1", "0"], .by: [sample.users[3]], .feed: [Maker.feed.name], .source: ["mastodon", "manual"],
      .server: ["bench.example", "none.example"], .lang: ["en", "de"], .is: words(of: .is), .has: words(of: .has),
      .kind: words(of: .kind), .width: [">1000", ">4000", ">9000"], .height: [">4000"], .size: [">5MB", ">1GB"],
      .ratio: words(of: .ratio), .duration: ["<1m", ">1h"], .camera: ["\"camera 3\"", "leica"],
      .taken: ["2015", "2016-05-01"], .near: ["48.1,11.5,50km"], .place: ["Vienna"], .country: ["AT", "NO"],
      .like: ["7"],
      .machine: ["cat"], .visibility: words(of: .visibility), .since: ["2020"], .before: ["2015"], .on: ["2016-03"],
      .stored: ["<1h", ">1h"], .sort: words(of: .sort),
    ]
  }

  private func words(of key: FilterKey) -> [String] { if case .choice(let words) = key.kind { words } else { [] } }

  func measure(into table: inout Table) throws {
    let tags = sample.tags
    try mark(into: &table)
    for key in FilterKey.allCases {
      guard let values = examples[key] else { fatalError("no example of \(key)") }
      for value in values { try screen("\(key.rawValue):\(value)", in: &table) }
    }
    for three in [
      sample.words.rare, sample.words.common, "-tag:\(tags[1])",
      "tag:\(tags[1]) has:picture is:unseen", "\(sample.words.common) tag:\(tags[0]) rating:>=3",
      "is:favourite has:picture since:2020", "-tag:\(tags[1]) kind:image ratio:portrait",
      "(tag:\(tags[2]) OR tag:\(tags[3])) -is:sensitive", "own:print by:\(sample.users[3]) is:unseen",
      "width:>4000 ratio:landscape since:2020", "tag:\(tags[7]) size:>5MB is:unseen", "tag:\(tags[7]) sort:rating",
      "is:favourite rating:5 has:picture",
    ] {
      try screen(three, in: &table)
    }
    for prefix in ["", "own5", "often"] {
      var timings = Timings()
      for _ in 0..<Self.rounds {
        _ = try timings.time { try library.store.ownTags(beginningWith: prefix, limit: 1000) }
      }
      table.add("own tags with \"\(prefix)\"", timings)
    }
  }

  private func screen(_ text: String, in table: inout Table) throws {
    var (screens, wholes) = (Timings(), Timings())
    for _ in 0..<Self.rounds {
      var list = PostListQuery()
      list.filter = PostFilter(try Filter(parsing: text), now: Date())
      list = list.listed(at: Date())
      let glance = try screens.time { try library.glance(of: list, after: 50) }
      // What an index has is whole at once. What takes a second need not be asked thirty times.
      guard glance.lookedTo != nil, wholes.percentile(50) < .milliseconds(200) || wholes.count < 3 else { continue }
      _ = try wholes.time { try library.snapshot(of: list, window: Window(after: 50)) }
    }
    table.add("first screen, \(text)", screens)
    if wholes.count > 0 { table.add("whole, \(text)", wholes) }
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
    try library.store.save(Filter(parsing: "is:favourite rating:>=4"), as: "Bench", by: marker, now: Date())
  }
}

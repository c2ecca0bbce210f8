import Blobs
import Filters
import Foundation
import Posts
import PropertyTesting
import Storage

/// What a store promises of filters: they find what reading every post finds.
public enum FiltersContract {
  /// The claims.
  public static let claims =
    PropertyTest.seeds(sample: 2, whole: 40).map { seed in
      StoreClaim("random filters find what a look at every post finds, seed \(seed)") { library in
        var dice = Dice(state: seed)
        let scan = try FilterScan(filling: library, &dice)
        for _ in 0..<60 { try scan.check(filter(&dice, depth: 2), in: library) }
      }
    } + sentences + limits

  private static let orders = ["oldest", "rating", "size"]

  private static let sentences = [
    StoreClaim("a sorted list has the posts of the filter in its order, whole and in parts") { library in
      var dice = Dice(state: 11)
      let scan = try FilterScan(filling: library, &dice)
      var list = PostListQuery()
      for order in ["oldest", "newest"] {
        list.filter = PostFilter(try Filter(parsing: "tag:cats sort:\(order)"), now: FilterScan.now)
        let ids = try library.other.orderedMembers(of: list.listed(at: FilterScan.now))
        let times = try library.other.posts(numbered: ids).map(\.id)
        try expect(ids, order == "oldest" ? times : times.reversed())
      }
      for text in ["", "tag:cats", "alpha", "rating:>=2", "is:deleted", "-has:picture"] {
        for order in orders { try scan.check(Filter(parsing: "\(text) sort:\(order)"), in: library) }
        for order in orders + ["random"] { try scan.checkParts(Filter(parsing: "\(text) sort:\(order)"), in: library) }
      }
      try library.store.save(
        Filter(parsing: "tag:cats sort:rating"), as: "best", by: MarksContract.person, now: noon)
      try scan.checkSaved("best", Filter(parsing: "tag:cats sort:rating"), in: library)
    },
    StoreClaim("a saved search finds what its filter finds, also where lists leave such posts out") { library in
      var dice = Dice(state: 13)
      let scan = try FilterScan(filling: library, &dice)
      for (index, text) in [
        "beta", "on:2025", "-alpha before:2030 OR tag:none", "since:2025", "is:planned", "is:hidden",
        "is:deleted tag:cats",
      ].enumerated() {
        let filter = try Filter(parsing: text)
        try library.store.save(filter, as: "s\(index)", by: MarksContract.person, now: noon)
        try library.store.save(Filter(parsing: "saved:s\(index)"), as: "t\(index)", by: MarksContract.person, now: noon)
        for name in ["s", "t"] { try scan.checkSaved("\(name)\(index)", filter, in: library) }
      }
    },
    StoreClaim("a random order is another one for each seed, and none of time") { library in
      try library.pull((1...40).reversed().map { post($0) })
      func ids(_ seed: Int64) throws -> [Int64] {
        var list = PostListQuery()
        list.filter = PostFilter(try Filter(parsing: "sort:random"), now: noon, seed: seed)
        return try library.other.window(list, after: 40).rows.map(\.post.id)
      }
      let orders = try [0, 1, 20_420, 20_421, -7, .max].map(ids)
      try expect(Set(orders).count, orders.count)
      for order in orders {
        try expect(order.sorted(), Array(1...40))
        // How often the next post is the neighbour by time; four times would be chance.
        try expect(zip(order, order.dropFirst()).count { abs($0 - $1) == 1 } < 12, true)
      }
    },
    StoreClaim("a glance at a long list says how far it looked, and one at a short list is the list") { library in
      let ids = try library.pull((1...40).reversed().map { post($0) }).posts
      try library.store.mark(
        stride(from: 0, to: 40, by: 8).map { ids[$0] }, [.seen(true)], by: MarksContract.person, now: noon)
      func glance(_ text: String, looking count: Int) throws -> (rows: [Int64], total: ListTotal, lookedTo: Date?) {
        var list = PostListQuery(grouping: .day(.gmt))
        list.filter = PostFilter(try Filter(parsing: text), now: noon)
        let reading = try library.other.glance(list, after: 3, looking: count)
        if reading.hasSections {
          try expect(reading.sections.map(\.rows.count).reduce(0, +), reading.rows.count)
        }
        return (reading.rows.map(\.post.id), reading.total, reading.lookedTo)
      }
      // The tenth of the newest is number 31.
      let part = try glance("is:seen", looking: 10)
      try expect(part.rows, [ids[0], ids[8]])
      try expect(part.total, .moreThan(1))
      try expect(part.lookedTo, post(31).createdAt)
      let nothing = try glance("is:seen rating:5|0 tag:cats|dogs lang:de", looking: 10)
      try expect(nothing.rows, [])
      try expect([nothing.lookedTo], [post(31).createdAt])
      let whole = try glance("is:seen", looking: 41)
      try expect(whole.rows, [ids[0], ids[8], ids[16]])
      try expect([whole.lookedTo], [nil])
      try expect(whole.total, .exactly(5))
      // Words are looked for in the newest posts if very many have them.
      for text in ["post", "is:unseen post"] {
        let newest = try glance(text, looking: 10)
        try expect(newest.rows, Array(ids[(text == "post" ? 0 : 1)...].prefix(3)))
        try expect(newest.total, .moreThan(3))
        try expect([newest.lookedTo], [post(text == "post" ? 38 : 37).createdAt])
      }
      try expect(try glance("is:seen post", looking: 10).rows, part.rows)
      try expect([try glance("is:seen post", looking: 10).lookedTo], [part.lookedTo])
      // What an index has takes no while.
      for text in ["tag:cats", "rating:>=1", "31", "is:seen sort:rating", "post sort:rating", ""] {
        try expect([try glance(text, looking: 10).lookedTo], [nil])
      }
    },
    StoreClaim("words find notes only where they are asked for") { library in
      let ids = try library.pull([post(2, caption: "red kite"), post(1, caption: "blue tit")]).posts
      try library.store.mark([ids[1]], [.note("for the Kite book")], by: MarksContract.person, now: noon)
      func found(_ text: String, _ searchesNotes: Bool) throws -> [String] {
        var list = PostListQuery()
        list.filter = PostFilter(try Filter(parsing: text), now: noon, searchesNotes: searchesNotes)
        return try library.captions(list)
      }
      for text in ["kite", "kit*", "book OR none", "blue book", "\"kite book\"", "-red"] {
        try expect(try found(text, true).contains("blue tit"), true)
      }
      for text in ["\"blue book\"", "red book", "\"book kite\"", "-book"] {
        try expect(try found(text, true).contains("blue tit"), false)
      }
      try expect(try found("kite", false), ["red kite"])
      try expect(try found("book", false), [])
      try library.store.mark([ids[1]], [.note(nil)], by: MarksContract.person, now: noon)
      try expect(try found("book", true), [])
    },
    StoreClaim("a filter finds posts by what is typed") { library in
      var dice = Dice(state: 7)
      let scan = try FilterScan(filling: library, &dice)
      for text in [
        "alpha", "alph ", "\"alpha beta\"", "tag:cats alpha", "feed:tag:cats@social.example -tag:dogs",
        "(tag:cats OR tag:dogs) -by:ada", "is:deleted", "-is:deleted", "is:planned", "is:manual|edited",
        "kind:video|gifv",
        "width:>1000 height:<500", "ratio:portrait -has:alt", "lang:de", "visibility:followers|direct", "is:private",
        "since:2023-11-14 before:2023-11-15", "on:2023-11", "stored:>1d", "stored:<1d", "server:social.example",
        "source:manual", "tag:unknown", "tag:unknown OR alpha", "-tag:unknown", "!!!", "alpha - beta",
      ] { try scan.check(Filter(parsing: text), in: library) }
    },
  ]

  /// Terms of each key, the most costly ones first.
  private static let leaves =
    ["is:copy", "alpha", "\"alpha beta\"", "saved:deep", "in:winter", "own:print"]
    + FilterKey.allCases.filter { $0 != .sort }.flatMap { key in
      key.choices.isEmpty ? [key.example] : key.choices.map { "\(key.rawValue):\($0)" }
    }

  private static let limits = [
    StoreClaim("both engines run as many levels as a filter may have, around any term") { library in
      var dice = Dice(state: 5)
      _ = try FilterScan(filling: library, &dice)
      for leaf in leaves {
        var (mixed, denied, wide) = (leaf, leaf, "(\(leaf) OR tag:dogs)")
        for _ in 0..<9 { mixed = "(-tag:none (tag:unknown OR \(mixed)))" }
        for _ in 0..<6 { denied = "(-tag:none -(tag:unknown OR \(denied)))" }
        for _ in 0..<3 { wide = "(is:seen -(\(wide) OR -\(wide)))" }
        for text in [mixed, denied] {
          try expect(try library.numbers(text), try library.numbers("(\(leaf)) -tag:none"))
        }
        try expect(try library.numbers(wide), [])
      }
    },
    StoreClaim("both engines run as many values and terms as a filter may have, of any key") { library in
      var dice = Dice(state: 6)
      let scan = try FilterScan(filling: library, &dice)
      // One of each form of condition.
      let values: [(key: String, value: (Int) -> String)] = [
        ("width", { "\($0)" }), ("rating", { "<\($0 + 1)" }), ("own", { "t\($0)" }), ("by", { "t\($0)" }),
        ("lang", { "t\($0)" }), ("camera", { "t\($0)" }), ("on", { "\(1000 + $0)" }),
        ("near", { "\($0 % 90),\($0 % 180),\($0 + 1)km" }), ("stored", { ">\($0 + 1)d" }),
        ("like", { "\(100_000 + $0)" }),
      ]
      for (key, value) in values {
        let text = "\(key):\((0..<500).map(value).joined(separator: "|"))"
        for text in [text, "-\(text)"] { try scan.check(Filter(parsing: text), in: library) }
      }
      for separator in [" ", " OR "] {
        let terms = (0..<100).map { "width:>\($0)" }.joined(separator: separator)
        for text in [terms, "-(\(terms))"] { try scan.check(Filter(parsing: text), in: library) }
      }
    },
  ]

  /// A filter of terms that some posts of the library match.
  private static func filter(_ dice: inout Dice, depth: Int) -> Filter {
    switch dice.below(depth > 0 ? 7 : 4) {
    case 0: .words(Filter.Words(words.randomElement(using: &dice)!, isPrefix: dice.below(2) == 0))
    case 1...3: .term(terms.randomElement(using: &dice)!)
    case 4: .opposite(of: filter(&dice, depth: depth - 1))
    case 5: .alternative((0..<2).map { _ in filter(&dice, depth: depth - 1) })
    default: .conjunction((0..<2).map { _ in filter(&dice, depth: depth - 1) })
    }
  }

  private static let words = ["alpha", "beta", "alphabet", "alp", "alpha beta", "none"]

  private static let terms = [
    "tag:cats", "tag:dogs", "tag:cats|unknown", "tag:unknown", "by:ada", "by:bob@social.example", "by:nobody",
    "feed:tag:cats@social.example", "feed:tag:cats@social.example|tag:dogs@social.example",
    "source:manual", "server:social.example", "server:http://other.example", "lang:de", "lang:DE-at", "is:edited",
    "is:sensitive", "is:manual", "is:planned", "is:deleted", "is:private|edited", "has:picture", "has:video", "has:alt",
    "kind:gifv|audio", "width:>600", "width:<=600", "height:400", "ratio:portrait|square", "ratio:landscape",
    "visibility:public", "visibility:direct|unlisted", "since:2023-11-15", "before:2023-11-15", "on:2023-11-14|2025",
    "stored:>0s", "stored:<2h", "own:print", "own:print|scan", "own:none", "in:winter", "in:none", "rating:>=3",
    "rating:0|5", "is:hidden", "is:hidden|seen", "is:favourite", "is:seen|favourite", "is:unseen", "has:note",
  ].compactMap { try? Filter(parsing: $0).terms.first }
}

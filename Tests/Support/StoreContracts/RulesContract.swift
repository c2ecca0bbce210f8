import Filters
import Foundation
import Posts
import Storage

/// What a store promises of rules for new posts.
public enum RulesContract {
  private static let person = MarksContract.person

  /// The claims.
  public static let claims = [
    StoreClaim("rules do what they say with new posts alone, by words, tags and feeds, as their page is stored") {
      library in
      try library.pull([made(1)])
      try library.store.createAlbum("Boats", by: person, now: noon)
      let marks: [RuleAction] = [
        .mark(.favourite(true)), .mark(.rating(4)), .mark(.seen(true)), .mark(.ownTag("Print")), .album("boats"),
      ]
      try library.add("by tag", "tag:dogs", marks)
      try library.add("by feed", "feed:tag:cats@social.example -is:hidden", [.mark(.ownTag("cats feed"))])
      try library.add("by words", "\"words 3\"", [.mark(.hidden(true))])
      let ids = try library.pull([made(4), made(3), made(2), made(1)]).posts
      try expect(try library.numbers("own:print"), [ids[0], ids[2]])
      try expect(try library.numbers("is:favourite is:seen rating:4 in:boats"), [ids[0], ids[2]])
      try expect(try library.store.posts(ofAlbum: "Boats"), [ids[2], ids[0]])
      try expect(try library.numbers("own:\"cats feed\""), [ids[0], ids[1], ids[2]])
      try expect(try library.numbers("is:hidden"), [ids[1]])
      try expect(try library.other.ruleFailures(), [])
      // What a person takes back stays so when the post comes again, or the rule runs again.
      try library.store.mark([ids[0]], [.favourite(false), .noOwnTag("print")], by: person, now: noon)
      try library.store.remove([ids[0]], fromAlbum: "Boats", by: person, now: noon)
      try library.pull([made(4), made(3)])
      let rule = try require(try library.store.rules().first { $0.name == "by tag" })
      try expect(try library.store.run(rule, on: [ids[0], ids[2]], now: noon + 60).changed, [])
      try expect(try library.numbers("is:favourite own:print in:boats"), [ids[2]])
    },
    StoreClaim("a rule finds new posts by the words of a saved search") { library in
      try library.store.save(Filter(parsing: "heron"), as: "birds", by: person, now: noon)
      try library.add("a", "saved:birds", [.mark(.favourite(true))])
      let ids = try library.pull([post(2, caption: "a grey heron"), post(1)]).posts
      try expect(try library.numbers("is:favourite"), [ids[0]])
    },
    StoreClaim("a rule that fails stops no pull, is recorded, and is tried again") { library in
      try library.store.createAlbum("Boats", by: person, now: noon)
      try library.add("a", "tag:dogs", [.mark(.favourite(true)), .album("Boats")])
      try library.add("b", "tag:dogs", [.mark(.ownTag("b"))])
      try library.store.deleteAlbum("Boats", by: person, now: noon)
      let ids = try library.pull([made(3), made(2)]).posts
      // Nothing of the failed rule stays, and the other one ran.
      try expect(try library.numbers("is:favourite"), [])
      try expect(try library.numbers("own:b"), [ids[1]])
      let failure = RuleFailure(rule: "a", post: ids[1], reason: "there is no album \"Boats\"")
      try expect(try library.other.ruleFailures(), [failure])
      try library.store.undo(by: person, now: noon)
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon + 61)
      _ = try library.store.save(page([made(4)]), in: pull, now: noon + 61)
      try expect(try library.numbers("is:favourite in:boats").count, 2)
      try expect(try library.other.ruleFailures(), [])
    },
    StoreClaim("a filter that cannot be read any more fails its rule alone") { library in
      var records: [LibraryRecord] = []
      try library.add("a", "tag:dogs", [.mark(.favourite(true))])
      try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
      let spoilt = records.map { record -> LibraryRecord in
        guard case .rule(var rule) = record else { return record }
        rule[.filter] = .text("nonsense:\"")
        rule[.name] = .text("b")
        return .rule(rule)
      }
      try library.store.beginMerge()
      try expect(try library.store.merge(spoilt, stored: [], dryRun: false, now: noon).refused, [:])
      let ids = try library.pull([made(2)]).posts
      try expect(try library.numbers("is:favourite"), ids)
      try expect(try library.other.ruleFailures().map(\.rule), ["b"])
    },
    StoreClaim("a rule that names saved searches in each other stops no pull") { library in
      for number in 0..<20 {
        let next = "saved:s\(number + 1)"
        try library.bring("s\(number)", "tag:none OR (width:1 (\(next) OR (tag:dogs (-\(next) OR height:1))))")
      }
      try library.bring("s20", "tag:dogs")
      try library.add("b", "tag:dogs", [.mark(.favourite(true))])
      try library.store.bringRule("a", "saved:s0 OR tag:dogs", like: "b")
      let ids = try library.pull([made(2)]).posts
      try expect(try library.numbers("is:favourite"), ids)
      try expect(try library.other.ruleFailures().map(\.rule), ["a"])
    },
    StoreClaim("a rule whose filter names what is not there is refused, and fails once it is gone") { library in
      for filter in ["-in:Boats", "-saved:boats tag:dogs"] {
        do {
          try library.add("a", filter, [.mark(.seen(true))])
          throw BrokenClaim(description: "\(filter) is a rule")
        } catch is MarkError {}
      }
      try library.store.createAlbum("Boats", by: person, now: noon)
      try library.store.save(try Filter(parsing: "in:Boats"), as: "boats", by: person, now: noon)
      try library.add("a", "-saved:boats", [.mark(.favourite(true))])
      try library.add("b", "-in:Boats", [.mark(.favourite(true)), .notice])
      try library.add("c", "post OR words", [.mark(.seen(true))])
      try library.store.deleteAlbum("Boats", by: person, now: noon)
      let ids = try library.pull([made(2)]).posts
      try expect(try library.numbers("is:favourite"), [])
      try expect(try library.numbers("is:seen"), ids)
      try expect(
        try library.other.ruleFailures(),
        [
          RuleFailure(
            rule: "a", post: ids[0], reason: "the saved search \"boats\" cannot be used (there is no album \"Boats\")"),
          RuleFailure(rule: "b", post: ids[0], reason: "there is no album \"Boats\""),
        ])
      try expect(try library.other.noticedPosts(since: noon - 60, now: noon).count, 0)
    },
    StoreClaim("pictures that a rule leaves out stay so, whatever limits later pulls have") { library in
      try library.add("small", "tag:dogs", [.skipPictures])
      let ids = try library.pull([made(3), made(2)]).posts
      let states = { try library.other.posts(numbered: ids).map { $0.attachments.map(\.state.rawValue) } }
      let wanted = try states()
      try expect(wanted, [["skipped"], ["pending"]])
      try expect(try library.other.pictures(ofPosts: ids, now: noon).map(\.post), [ids[0]])
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      let limits = FileLimits(maxSize: 1_000_000_000)
      _ = try library.store.save(page([made(3), made(2)]), in: pull, limits: limits, now: noon)
      try expect(try states(), wanted)
    },
    StoreClaim("what rules tell of is asked for once, rules are undone, and copies have them") { library in
      try library.pull([made(8)])
      try library.add("tell", "tag:dogs", [.notice])
      let ids = try library.pull([made(2), made(1)]).posts
      let told = try library.other.noticedPosts(since: noon - 60, now: noon)
      try expect(told.map(\.rule), ["tell"])
      try expect(told.first?.posts.contains(ids[0]), true)
      // Of several harvests at once each tells of its own feeds.
      for (feed, count) in [(cats, 1), (dogs, 0)] {
        let run = try library.store.beginRun(of: 1, process: 7, now: noon)
        var counts = HarvestRun.Counts()
        counts.new = 2
        try library.store.note(HarvestRun.Part(feed: feed, outcome: .well, counts: counts), in: run)
        try expect(try library.other.noticedPosts(since: noon - 60, of: run, now: noon).count, count)
      }
      try expect(try library.other.noticedPosts(since: Date(timeIntervalSinceNow: 600), now: noon).count, 0)
      try library.add("tell", "tag:cats", [.notice])
      try library.store.deleteRule("TELL", by: person, now: noon)
      try expect(try library.other.rules(), [])
      for filter in ["tag:cats", "tag:dogs"] {
        try library.store.undo(by: person, now: noon)
        try expect(try library.other.rules().map(\.filter), [filter])
      }
      do {
        try library.add("x", "tag:cats", [.album("none")])
        throw BrokenClaim(description: "the album is there")
      } catch let error as MarkError { try expect(error, .noAlbum("none", nearest: nil)) }
      var kinds: [Bool] = []
      try library.store.eachRecord(of: nil, raw: false) { record in
        if case .rule(let rule) = record { kinds.append(rule[.filter].text == "tag:dogs") }
      }
      try expect(kinds, [true])
    },
  ]

  /// Even numbers have the tag `dogs`, others `cats`.
  private static func made(_ number: Int) -> Post {
    var made = post(number, tags: [number.isMultiple(of: 2) ? "dogs" : "cats"])
    made.caption = "words \(number)"
    made.attachments = [Attachment(kind: .image, url: "https://files.example/\(number)")]
    return made
  }
}

extension Store {
  /// Brings in a rule as a copy does, which is not asked whether it can be used.
  fileprivate func bringRule(_ name: String, _ filter: String, like other: String) throws {
    var records: [LibraryRecord] = []
    try eachRecord(of: nil, raw: false) { record in
      guard case .rule(var rule) = record, rule[.name] == .text(other) else { return }
      (rule[.name], rule[.filter]) = (.text(name), .text(filter))
      records.append(.rule(rule))
    }
    try beginMerge()
    try expect(try merge(records, stored: [], dryRun: false, now: noon).refused, [:])
  }
}

extension NewLibrary {
  fileprivate func add(_ name: String, _ filter: String, _ actions: [RuleAction]) throws {
    let rule = Rule(name: name, filter: try Filter(parsing: filter).description, actions: actions)
    try store.save(rule, by: MarksContract.person, now: noon)
  }
}

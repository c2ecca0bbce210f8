import Blobs
import Filters
import Foundation
import Posts
import Storage

/// What a store promises of what models find.
public enum ModelsContract {
  private static let (one, other) = (ModelName("clip@1", dimensions: 2), ModelName("clip@2", dimensions: 2))

  /// The claims.
  public static let claims =
    [
      StoreClaim("files are looked at anew by another model, and keep what was found until then") { library in
        let posts = try library.show([1: ["a"], 2: ["b"]]).posts
        let first = try library.store.use(one, now: noon)
        try expect(try library.other.currentModel(), first)
        try expect(try library.unseen(by: first), ["b", "a"])
        try library.find(["a": found("cat"), "b": found("dog")], by: first)
        try expect(try library.unseen(by: first), [])
        try expect(try library.store.use(one, now: noon + 1), first)
        let progress = try library.other.inspectionProgress()
        try expect(progress.model, "clip@1")
        try expect(progress.inspected, [.model: 2])
        let second = try library.store.use(other, now: noon + 60)
        try expect(try library.unseen(by: second), ["b", "a"])
        try expect(try library.other.inspectionProgress().inspected, [:])
        try library.find(["b": found("wolf")], by: second)
        try expect(try library.tags(of: posts), [["cat"], ["wolf"]])
        try expect(try library.unseen(by: second), ["a"])
        // The earlier one is asked again where the later one was meanwhile.
        try expect(try library.store.use(one, now: noon + 120), first)
        try expect(try library.unseen(by: first), ["b"])
      },
      StoreClaim("what a model cannot read keeps what was found before, and is not asked for again") { library in
        let posts = try library.show([1: ["a"]]).posts
        let model = try library.store.use(one, now: noon)
        try library.find(["a": found("cat", caption: "a cat", sensitive: 0.9)], by: model)
        let shown = try require(try library.other.post(posts[0])?.post.attachments.first?.findings)
        try expect(shown.caption, "a cat")
        try expect(shown.sensitive, 0.9)
        try library.keep(["a": .failed("it is damaged")], by: model)
        try expect(try library.other.post(posts[0])?.post.attachments.first?.findings, shown)
        try expect(try library.unseen(by: model), [])
        try expect(try library.other.inspectionProgress().failed, [.model: 1])
        try library.keep(["a": .nothing], by: model)
        try expect(try library.other.post(posts[0])?.post.attachments.first?.findings, nil)
        try expect(try library.alike([1, 0], by: model), [])
      },
      StoreClaim("posts are found by what their pictures mean, the nearest first, each once") { library in
        let posts = try library.show([1: ["east", "north"], 2: ["north"], 3: ["west"], 4: ["northeast"]]).posts
        let model = try library.store.use(one, now: noon)
        try library.find(
          [
            "east": found("e", [1, 0]), "north": found("n", [0, 1]), "west": found("w", [-1, 0]),
            "northeast": found("m", [1, 1]),
          ], by: model)
        try expect(try library.alike([0, 5], by: model), [posts[0], posts[1], posts[3], posts[2]])
        try expect(try library.alike([2, 0.1], by: model), [posts[0], posts[3], posts[1], posts[2]])
        try expect(try library.alike([2, 0.1], by: model, atMost: 1), [posts[0]])
        let wanted = try require(Embedding([-1, 0]))
        let score = try require(
          try library.other.posts(alike: wanted, by: model, in: .pictures, of: PostListQuery(), atMost: 1).first?.score)
        try expect((score * 100).rounded(), 100)
        try expect(try require(try library.other.embedding(ofPost: posts[2], by: model)), wanted)
        // Only posts of the list, however far the others are ahead.
        try library.store.delete([posts[0]], now: noon)
        try expect(try library.alike([2, 0.1], by: model), [posts[3], posts[1], posts[2]])
        // Nothing of another model is compared.
        let second = try library.store.use(other, now: noon + 60)
        try expect(try library.alike([0, 1], by: second), [])
      },
      StoreClaim("among many pictures the nearest are found first, and all in the end") { library in
        let names = (0..<2000).map { "picture \($0)" }
        let posts = try library.show(
          Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0 + 1, [$1]) })
        ).posts
        let model = try library.store.use(one, now: noon)
        let angles = names.indices.map { Float($0) / Float(names.count) }
        try library.find(
          Dictionary(
            uniqueKeysWithValues: zip(names, angles).map { ($0, found("x", [1 - $1, $1])) }), by: model)
        let all = try library.alike([1, 0], by: model, atMost: 5000)
        try expect(all.count, names.count)
        try expect(Set(all.prefix(10)).isSubset(of: posts.prefix(30)), true)
        try expect(Set(all.suffix(10)).isSubset(of: posts.suffix(30)), true)
        try expect(try library.alike([1, 0], by: model, atMost: 100), Array(all.prefix(100)))
      },
      StoreClaim("a tag that the person called wrong is gone, whatever a model finds") { library in
        let posts = try library.show([1: ["a"], 2: ["b"]]).posts
        let model = try library.store.use(one, now: noon)
        for changed in [1, 0] {
          try library.find(["a": found("café"), "b": found("café")], by: model)
          // A letter and its accent may be typed as two.
          try expect(try library.judge(.wrong, "CAFE\u{301}", of: "a"), changed)
          try expect(try library.tags(of: posts), [[], ["café"]])
          try expect(try library.listed("machine:café"), [posts[1]])
        }
        try expect(try library.listed("-machine:cafe\u{301}"), [posts[0]])
        try expect(try library.judge(.none, "café", of: "a"), 1)
        try expect(try library.listed("machine:Cafe\u{301}"), [posts[1], posts[0]])
        try expect(try library.listed("machine:dog"), [])
      },
      StoreClaim("verdicts on tags go with a copy, and the later one counts") { library in
        let posts = try library.show([1: ["a"]]).posts
        let model = try library.store.use(one, now: noon)
        try library.find(["a": found("cat")], by: model)
        try expect(try library.judge(.wrong, "cat", of: "a"), 1)
        var records: [LibraryRecord] = []
        try library.store.eachRecord(of: nil, raw: false) { if case .tagVerdict = $0 { records.append($0) } }
        try expect(records.count, 1)
        try expect(try library.judge(.none, "cat", of: "a"), 1)
        try library.merge(tagVerdicts: records)
        try expect(try library.tags(of: posts), [["cat"]])
        try library.merge(
          tagVerdicts: records.map { record in
            guard case .tagVerdict(var verdict) = record else { return record }
            verdict[.stamp] = .text("1 2030-01-01T00:00:00.000Z 00000000 laptop")
            return .tagVerdict(verdict)
          })
        try expect(try library.tags(of: posts), [[]])
      },
      StoreClaim("texts are looked at once, and again when they change") { library in
        let posts = try library.pull([post(1), post(2)]).posts
        let model = try library.store.use(one, now: noon)
        let texts = try library.other.textsToEmbed(by: model, atMost: 10)
        try expect(texts.map(\.post), Array(posts.reversed()))
        try expect(try library.other.textsToEmbed(by: model, before: posts[1], atMost: 10), [texts[1]])
        try expect(try library.other.textsToEmbed(by: model, of: [posts[1]], atMost: 10), [texts[0]])
        try library.store.keep([EmbeddedText(texts[0], Embedding([0, 1])), EmbeddedText(texts[1], nil)], by: model)
        try expect(try library.other.textsToEmbed(by: model, atMost: 10), [])
        try expect(try library.other.textsToEmbed(by: model, again: true, atMost: 10).count, 2)
        let found = try library.other.posts(
          alike: try require(Embedding([1, 1])), by: model, in: .texts, of: PostListQuery(), atMost: 9)
        try expect(found.map(\.post), [posts[1]])
        try library.pull([post(1, caption: "another text")])
        let changed = try library.other.textsToEmbed(by: model, atMost: 10)
        try expect(changed.map(\.text), ["another text"])
        try expect(changed.map(\.post), [posts[0]])
      },
      StoreClaim("the text of a post is looked at again when a file is described otherwise") { library in
        var boat = post(1, pictures: 1)
        let model = try library.store.use(one, now: noon)
        for description in ["a boat", "a ship"] {
          boat.attachments[0].alt = description
          try library.pull([boat])
          let texts = try library.other.textsToEmbed(by: model, atMost: 10)
          try expect(texts.map { $0.text.hasSuffix("\n\(description)") }, [true])
          try library.store.keep([EmbeddedText(texts[0], Embedding([0, 1]))], by: model)
          try expect(try library.other.textsToEmbed(by: model, atMost: 10), [])
        }
        boat.attachments[0].previewURL = "https://pics.example/small"
        try library.pull([boat])
        try expect(try library.other.textsToEmbed(by: model, atMost: 10), [])
      },
    ]

  private static func found(
    _ tag: String, _ numbers: [Float]? = nil, caption: String? = nil, sensitive: Double? = nil
  ) -> ModelFindings {
    var found = ModelFindings()
    found.tags = [MachineTag(tag, score: 0.9)]
    found.embedding = numbers.flatMap(Embedding.init)
    (found.caption, found.sensitive) = (caption, sensitive)
    return found
  }
}

extension NewLibrary {
  /// The names of the files that a model has not looked at: one letter, found by its hash.
  fileprivate func unseen(by model: Int64) throws -> [String] {
    let names = Dictionary(uniqueKeysWithValues: "abc".map { (InspectionContract.name(String($0)), String($0)) })
    return try other.filesToInspect(for: [.model], model: model, atMost: 10).compactMap { names[$0.blob] }
  }

  fileprivate func find(_ found: [String: ModelFindings], by model: Int64) throws {
    try keep(found.mapValues { .found($0) }, by: model)
  }

  fileprivate func keep(_ found: [String: FileInspection.Outcome<ModelFindings>], by model: Int64) throws {
    let files = try store.filesToInspect(for: [.model], again: true, model: model, atMost: 10_000)
    let numbers = Dictionary(files.map { ($0.blob, $0.number) }) { $1 }
    let inspections = found.compactMap { name, outcome in
      numbers[InspectionContract.name(name)].map { number in
        var inspection = FileInspection(of: number)
        inspection.model = outcome
        return inspection
      }
    }
    try store.keep(inspections, by: model, now: noon)
  }

  fileprivate func alike(_ numbers: [Float], by model: Int64, atMost limit: Int = 100) throws -> [Int64] {
    let wanted = try require(Embedding(numbers))
    return try other.posts(alike: wanted, by: model, in: .pictures, of: PostListQuery(), atMost: limit).map(\.post)
  }

  fileprivate func judge(_ verdict: MachineTagVerdict, _ tag: String, of file: String) throws -> Int {
    try store.set(verdict, ofTag: tag, at: [InspectionContract.name(file)], by: MarksContract.person, now: noon)
  }

  fileprivate func tags(of posts: [Int64]) throws -> [[String]] {
    try posts.map { post in
      try other.post(post)?.post.attachments.flatMap { $0.findings?.tags.map(\.name) ?? [] } ?? []
    }
  }

  /// The posts that a filter finds, the newest first.
  fileprivate func listed(_ filter: String) throws -> [Int64] {
    var query = PostQuery(limit: 10)
    query.filter = PostFilter(try Filter(parsing: filter), now: noon)
    return try other.posts(query).map(\.id)
  }

  fileprivate func merge(tagVerdicts records: [LibraryRecord]) throws {
    try store.beginMerge()
    _ = try store.merge(records, stored: [], known: [], dryRun: false, now: noon)
  }
}

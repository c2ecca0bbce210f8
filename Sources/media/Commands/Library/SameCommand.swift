import ArgumentParser
import Blobs
import Filters
import FoundationEssentials
import Machine
import Storage
import Terminal
import Web
import Wording

/// `media same [FILTER] / --different ID ID`
struct SameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "same", _superCommandName: Media.name,
    abstract: "Show posts that have the same picture, in the same or in other bytes.",
    discussion: """
      Each group begins with the post that had the picture first. "media look" finds the pictures of files that were not \
      looked at yet. --same, --different and --undecided say it of two posts, ID.2 meaning the second picture of a post; \
      that lasts, and no file is deleted. Where one of two posts that are the same is an Instagram export's, and the other is \
      the post that Instagram shows, they become one; "media undo" takes that back.
      """)

  @Argument(
    help: ArgumentHelp(
      "Only groups with a post that this filter finds; the two posts of a verdict.", valueName: "filter"),
    completion: Completing.filters)
  var filter: [String] = []

  @Option(help: "How much pictures may differ, from 0 to 8; up to 4, and compared more, by default.")
  var near: Int?

  @Option(help: "The maximum number of groups, the largest first.")
  var limit = 20

  @Flag(help: "Say that two posts show the same picture.")
  var same = false

  @Flag(help: "Say that they do not.")
  var different = false

  @Flag(help: "Take back what was said of them.")
  var undecided = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  private var verdict: SameVerdict? {
    get throws {
      let given = [(same, SameVerdict.same), (different, .different), (undecided, .none)].filter(\.0).map(\.1)
      guard given.count < 2 else { throw ValidationError("--same, --different and --undecided exclude each other") }
      return given.first
    }
  }

  func validate() throws {
    guard limit >= 1 else { throw ValidationError("--limit \(limit) shows nothing, it must be 1 or more") }
    if let near, !(0...PictureHash.likelyDistance).contains(near) {
      throw ValidationError("--near \(near) is not from 0 to \(PictureHash.likelyDistance)")
    }
    guard try verdict != nil else { return }
    guard near == nil else { throw ValidationError("--near goes with no verdict") }
    guard filter.count == 2 else {
      throw ValidationError("a verdict is about two posts: give two numbers, such as 12 40.2")
    }
    for text in filter where PictureReference(text) == nil {
      throw ValidationError("\"\(Spelling.printable(text))\" is no number of a post, and no ID.N")
    }
  }

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    if let verdict = try verdict { return try decide(verdict, app) }
    let now = app.time.now()
    let typed = try filter.isEmpty ? nil : PostFilters.filter(filter.joined(separator: " "), at: now)
    guard app.library.exists else { return sayNone(app, isInspected: true) }
    try typed?.filter.expectNames(in: app.library)
    var groups = 0
    try app.library.withStore(for: .reading) { store in
      let posts = try typed.map { filter in
        var list = PostListQuery()
        list.filter = filter
        return try store.members(of: list.listed(at: now)).ranges.flatMap { $0.map(Int64.init) }
      }
      try store.eachSamePictures(of: posts, within: near, atMost: limit) { group in
        try show(group, try store.twins(among: group.showings.map(\.post)), app, isFirst: groups == 0)
        groups += 1
      }
      if groups == 0 {
        let progress = try store.inspectionProgress()
        sayNone(app, isInspected: progress.inspected[.hash] == progress.files)
      }
    }
  }

  private func sayNone(_ app: App, isInspected: Bool) {
    guard !global.json else { return }
    app.console.message("No two posts have the same picture.")
    if !isInspected { app.console.message("Not all pictures were looked at: \"media look\" does so.") }
  }

  private func show(_ group: SamePictures, _ twins: [TwinPosts], _ app: App, isFirst: Bool) throws {
    if global.json { return try app.console.result(try JSONText.line(group.members(twins))) }
    if !isFirst { try app.console.result("") }
    let times = MomentText()
    let rows = group.showings.enumerated().map { index, one in
      let size = one.width.flatMap { width in one.height.map { "\(width) × \($0)" } } ?? ""
      let words = [
        index == 0 ? "first" : nil, index == group.largest ? "largest" : nil,
        one.isExact ? "same pixels" : one.distance.flatMap { $0 > 0 ? "differs by \($0)" : nil },
      ]
      return [
        one.position == 0 ? "\(one.post)" : "\(one.post).\(one.position + 1)", "\(times.minute(one.createdAt))",
        one.author ?? "", size, "\(NumberText.bytes(one.byteCount))", words.compactMap(\.self).joined(separator: ", "),
      ]
    }
    try app.output.print(
      Table(
        [
          .init("ID", trailing: true), .init("WRITTEN", minimum: 16), .init("AUTHOR", givesWayFirst: true),
          .init("PIXELS"),
          .init("BYTES", trailing: true), .init(""),
        ], rows: rows))
    for twin in twins {
      let ids = "\(twin.exported) \(twin.shown)"
      app.console.message(
        "Post \(twin.exported) of an export may be post \(twin.shown): \"media same --same \(ids)\" makes them one.")
    }
  }

  // MARK: Verdicts

  private func decide(_ verdict: SameVerdict, _ app: App) throws {
    guard app.library.exists else { throw NoLibrary(folder: app.library.shownPath) }
    let references = filter.compactMap(PictureReference.init)
    // A verdict about two files says nothing about their posts.
    let posts = references.allSatisfy { $0.number == nil } ? references.map(\.post) : []
    let decision = try app.library.withStore { store in
      let (one, other) = (try references[0].blobs(in: store), try references[1].blobs(in: store))
      let isJoined = try verdict == .same && !store.twins(among: posts).isEmpty
      if one == other, one.count == 1, !isJoined {
        throw UsageError("posts \(references[0].post) and \(references[1].post) show the same file", cure: nil)
      }
      let pairs = try store.likelyPairs(one, other, always: one.count == 1 && other.count == 1)
      guard !pairs.isEmpty || isJoined && !Set(one).isDisjoint(with: other) else {
        throw UsageError(
          "no picture of post \(references[0].post) is like one of post \(references[1].post)",
          cure: "name both pictures, such as \(references[0].post).1 \(references[1].post).2")
      }
      return try store.set(verdict, of: pairs, in: posts, by: app.marker, now: app.time.now())
    }
    if global.json {
      let joined = decision.joined.isEmpty ? [:] : ["joined": decision.joined.count]
      return try app.console.result(try JSONText.line(joined.merging(["changed": decision.pairs]) { one, _ in one }))
    }
    for twin in decision.joined {
      app.console.message(
        "Post \(twin.shown) stands for both now; post \(twin.exported) is deleted. \"media undo\" takes that back.")
    }
    guard decision.joined.isEmpty else { return }
    app.console.message(decision.pairs == 0 ? ChangedPosts.unchanged : "Noted.")
  }
}

extension SamePictures {
  /// As JSON, with the posts of an export that may be others of them; those are left out if there are none.
  fileprivate func members(_ twins: [TwinPosts]) -> JSONMembers {
    let pictures = showings.enumerated().map { index, one in
      JSONMembers(present: [
        "id": one.post, "file": one.position + 1, "created_at": UTC.text(one.createdAt), "author": one.author,
        "sha256": one.blob.hex, "bytes": one.byteCount, "width": one.width, "height": one.height,
        "distance": one.distance, "exact": one.isExact, "first": index == 0, "largest": index == largest,
      ])
    }
    var line: JSONMembers = ["posts": posts, "pictures": pictures]
    if !twins.isEmpty {
      line["twins"] = twins.map { ["exported": $0.exported, "shown": $0.shown] as JSONMembers }
    }
    return line
  }
}

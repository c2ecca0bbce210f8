import ArgumentParser
import Filters
import FoundationEssentials
import Posts
import Services
import Storage

/// The options that choose posts, of every command that reads a list.
struct PostFilters: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Which posts: words, and terms such as tag:cats, -by:birds, is:edited, has:video, \"width:>2000\".",
      discussion: "The manual describes them all under FILTERS.", valueName: "filter"),
    completion: Completing.filters)
  var filter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only posts with this tag or from its feed. Repeat it for posts of any of several tags.",
      valueName: "tag"),
    completion: Completing.tags)
  var tag: [String] = []

  @Option(help: ArgumentHelp("Only posts of this author.", valueName: "handle"), completion: Completing.authors)
  var user: String?

  @Option(
    help: ArgumentHelp("Only posts from this feed, as its summary names it.", valueName: "feed"),
    completion: Completing.feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Only posts with these words in title, text or warning. The last word is a prefix; \"in quotes\" is a phrase.",
      valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp("Only posts of this day, in local time.", valueName: "yyyy-mm-dd"))
  var day: String?

  @Option(
    help: ArgumentHelp(
      "Only posts that these may see: \(Visibility.allValueStrings.joined(separator: ", ")). Repeat it for several.",
      valueName: "who"))
  var visibility: [Visibility] = []

  @Option(help: ArgumentHelp("Only posts written since then.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only posts written before then; a day counts whole.", valueName: "date"))
  var until: String?

  /// Whether any was typed.
  var areGiven: Bool {
    !filter.isEmpty || !tag.isEmpty || !visibility.isEmpty
      || ![user, feed, search, day, since, until].allSatisfy { $0 == nil }
  }

  /// Who may see the posts.
  var seenBy: VisibilityFilter { visibility.isEmpty ? .all : .only(Set(visibility)) }

  /// The tags as they are stored. A tag's web address stands for it.
  var tags: [String] { tag.map(Self.tagName) }

  /// The tag that is named by itself, or by its web address.
  static func tagName(_ text: String) -> String { Feed.tagName(feed(text, .tag)?.value ?? text) }

  /// The author's handle. A profile's web address stands for it.
  var handle: String? { user.map(Self.handle) }

  /// The handle of an author who is named by it, or by the web address of a profile.
  static func handle(_ text: String) -> String {
    guard let feed = feed(text, .user) else { return text }
    return feed.value.contains("@") ? feed.value : "\(feed.value)@\(feed.server.host)"
  }

  private static func feed(_ text: String, _ kind: Feed.Kind) -> Feed? {
    // A bare word is a name, not a host.
    guard text.contains("/") else { return nil }
    return Catalogue.feed(at: text, as: kind).flatMap { $0.kind == kind ? $0 : nil }
  }

  /// What was typed to search and to filter by, for a title that others read; nil if nothing was. A filter that asks what the
  /// person made of posts tells nothing but the name of the album or saved search that it is, as a share does.
  var publicWords: String? {
    var typed = filter.joined(separator: " ")
    if let parsed = try? Filter(parsing: typed), parsed.asksMarks {
      typed = ShareDraft(of: parsed).title
    }
    let words = ([search].compactMap(\.self) + [typed]).filter { !$0.isEmpty }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  /// What stands in the field of the interactive list: `--search` knows words alone, so what a filter would read as something
  /// else is quoted.
  var typedSearch: String {
    guard let search else { return "" }
    if let filter = try? Filter(parsing: search), filter.parts.allSatisfy(\.isWords) { return search }
    let words = search.split { $0.isWhitespace || $0 == "\"" }.map(String.init)
    let last = words.count - 1
    return "\(Filter.conjunction(words.enumerated().map { .words(.init($1, isPrefix: $0 == last)) }))"
  }

  /// The filter as it is meant now; nil if none was typed.
  ///
  /// - Parameter seed: What `sort:random` mixes posts by; nil for another order every day.
  func posts(at now: Date, seed: Int64? = nil) throws -> PostFilter? {
    let text = filter.joined(separator: " ")
    return text.allSatisfy(\.isWhitespace) ? nil : try Self.filter(text, at: now, seed: seed)
  }

  /// A filter as it is meant at a moment.
  static func filter(_ text: String, at now: Date, seed: Int64? = nil) throws -> PostFilter {
    do throws(FilterError) {
      return PostFilter(try Filter(parsing: text), now: now, seed: seed, searchesNotes: true)
    } catch {
      throw UsageError(error.message, cure: error.cure)
    }
  }

  func validate() throws {
    for (flag, value) in tag.map({ ("--tag", $0) }) + [("--user", user), ("--search", search)] {
      guard value?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("\(flag) is empty") }
    }
    guard day == nil || (since == nil && until == nil) else {
      throw ValidationError("--day is one day, leave --since and --until out")
    }
  }

  /// The choice of times in words, such as `since 2026-11-01 until 2026-11-21`; nil if there is none.
  var span: String? {
    let parts = [day, since.map { "since \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The requested day, or the time between `--since` and `--until`.
  ///
  /// - Parameter mayBeToCome: Whether planned entries are wanted. Otherwise the time must have begun.
  func interval(now: Date, mayBeToCome: Bool = false) throws -> DateInterval? {
    guard let day else { return try betweenTimes(now: now, mayBeToCome) }
    let interval = try TimeText().day(day, for: "--day")
    guard mayBeToCome || interval.start <= now else {
      throw UsageError(
        "--day \(day) is still to come",
        cure: "give a day that has begun; \"media list --planned\" lists what is to come")
    }
    return interval
  }

  private func betweenTimes(now: Date, _ mayBeToCome: Bool) throws -> DateInterval? {
    guard since != nil || until != nil else { return nil }
    let times = TimeText()
    let start = try since.map {
      try mayBeToCome ? times.moment($0, for: "--since") : times.past($0, for: "--since", now: now)
    }
    let end = try until.map { try times.end($0, for: "--until") }
    if let start, let end, end <= start {
      throw UsageError("--until is not after --since", cure: "give the later time to --until")
    }
    return DateInterval(start: start ?? .distantPast, end: end ?? .distantFuture)
  }

  /// Throws if the named user wrote nothing that is stored.
  func expectUser(in library: LibraryOpener) throws {
    guard let user = handle else { return }
    let handle = String(user.trimmingWhiteSpace.drop { $0 == "@" })
    try library.withStore(for: .reading) { store in
      let found = try [handle, "\(handle)@"].compactMap { try store.authorHandles(beginningWith: $0, limit: 1).first }
      if found.contains(where: { $0.caseInsensitivelyBegins(with: handle) }) { return }
      let handles = try store.authorHandles(beginningWith: String(handle.prefix(1)), limit: 1000)
      let nearest = Spelling.nearest(to: handle, among: handles + handles.map { String($0.prefix { $0 != "@" }) })
      throw UsageError(
        "no post of \"\(user)\" is stored",
        cure: nearest.map { "did you mean \($0)?" } ?? "write a handle as \"media list\" shows it")
    }
  }

  /// The named feed, which must have been pulled.
  func storedFeed(_ library: LibraryOpener) throws -> Feed? {
    try feed.map { name in
      try library.withStore(for: .reading) { try GapsCommand.feed(name, among: try $0.feeds(), try $0.feedTitles()) }
    }
  }
}

extension Filter {
  /// Throws if it names an album, a saved search or a post that there is not, or an own tag that is misspelt: it would find
  /// nothing, and nobody would know why.
  func expectNames(in library: LibraryOpener) throws {
    guard library.exists, terms.contains(where: { [.album, .saved, .own, .like].contains($0.key) }) else { return }
    try library.withStore(for: .reading) { try $0.expectNames(of: self) }
  }

  /// Whether it is words and no more.
  fileprivate var isWords: Bool { if case .words = self { true } else { false } }
}

extension Visibility: ExpressibleByArgument {
  /// What a post can have. What is still to be looked for cannot be asked for.
  public static var allValueStrings: [String] { known.map(\.rawValue) }

  /// Reads a word of the command line.
  public init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }
}

extension String {
  /// Whether it is a handle, or one with its host behind it, in any case.
  fileprivate func caseInsensitivelyBegins(with handle: String) -> Bool {
    let (own, other) = (lowercased(), handle.lowercased())
    return own == other || own.hasPrefix("\(other)@")
  }
}

import ArgumentParser
import FoundationEssentials
import Posts
import Storage

/// The options that choose posts, of every command that reads a list.
struct PostFilters: ParsableArguments {
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

  /// Whether any was typed.
  var areGiven: Bool {
    !tag.isEmpty || user != nil || feed != nil || search != nil || day != nil || !visibility.isEmpty
  }

  /// Who may see the posts.
  var seenBy: VisibilityFilter { visibility.isEmpty ? .all : .only(Set(visibility)) }

  /// The tags as they are stored.
  var tags: [String] { tag.map(Feed.tagName) }

  func validate() throws {
    for (flag, value) in tag.map({ ("--tag", $0) }) + [("--user", user), ("--search", search)] {
      guard value?.allSatisfy(\.isWhitespace) != true else { throw ValidationError("\(flag) is empty") }
    }
  }

  /// The requested day.
  ///
  /// - Parameter mayBeToCome: Whether planned entries are wanted. Otherwise the day must have begun.
  func interval(now: Date, mayBeToCome: Bool = false) throws -> DateInterval? {
    guard let day else { return nil }
    let interval = try TimeText().day(day, for: "--day")
    guard mayBeToCome || interval.start <= now else {
      throw UsageError(
        "--day \(day) is still to come",
        cure: "give a day that has begun; \"media list --planned\" lists what is to come")
    }
    return interval
  }

  /// The named feed, which must have been pulled.
  func storedFeed(_ library: LibraryOpener) throws -> Feed? {
    try feed.map { name in
      try library.withStore(for: .reading) { try GapsCommand.feed(name, among: try $0.feeds(), try $0.feedTitles()) }
    }
  }
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

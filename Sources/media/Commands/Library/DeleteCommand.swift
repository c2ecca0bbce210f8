import ArgumentParser
import FoundationEssentials
import Machine
import Posts
import Storage
import Terminal
import Wording

/// `media delete ID... / --feed F / --filter F`
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", _superCommandName: Media.name,
    abstract: "Delete posts. No later pull brings them back.",
    discussion: """
      "media restore" undoes it at any time. "media gc" removes their pictures after the time of the setting trash; after \
      that, restored posts get their pictures from a pull.
      """)

  @Argument(help: ArgumentHelp("The ids of posts, as \"media list\" shows them.", valueName: "id"))
  var posts: [PostIDs] = []

  @Option(
    help: "Delete the posts that this feed alone brought, such as import:downloads.", completion: Completing.feeds)
  var feed: String?

  @OptionGroup var chosen: ChosenPosts

  @Flag(help: "Tell how many posts would change, and change nothing.")
  var dryRun = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard [!posts.isEmpty, feed != nil, chosen.filter != nil].count(where: \.self) == 1 else {
      throw ValidationError("give numbers of posts, or --feed, or --filter")
    }
  }

  func run() throws {
    let app = try App(global)
    let named = try feed.map { try app.library.storedFeed($0) }
    let ids = try posts.flatMap(\.ids) + chosen.confirmed("delete", .excluded, app, isDryRun: dryRun)
    if chosen.filter != nil, ids.isEmpty { return try ChangedPosts.sayNone("deleted", app.console, json: global.json) }
    let now = app.time.now()
    let deletion = try app.library.changing(ids) { store in
      try named.map { try store.delete(feed: $0, by: app.marker, now: now, dryRun: dryRun) }
        ?? store.delete(ids, by: app.marker, now: now, dryRun: dryRun)
    }
    let again =
      named.map { "--feed \($0.name)" }
      ?? (chosen.filter == nil
        ? deletion.changed.map(String.init).joined(separator: " ") : "--deleted-at \(UTC.text(deletion.time ?? now))")
    let count = NumberText.count(deletion.changed.count, "post")
    try deletion.say(
      "deleted", app.console, json: global.json,
      changed: dryRun ? "\(count) would change." : "Deleted \(count); \"media restore \(again)\" undoes it.",
      unchanged: "Deleted before: nothing changed.")
  }
}

/// `media restore ID... / --tag T / --feed F / --filter F / --deleted-at T`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", _superCommandName: Media.name, abstract: "Restore deleted posts and their pictures.")

  @Argument(help: ArgumentHelp("The ids of posts.", valueName: "id"))
  var posts: [PostIDs] = []

  @Option(help: "Restore all deleted posts of this tag.", completion: Completing.tags)
  var tag: String?

  @Option(help: "Restore all deleted posts that this feed brought.", completion: Completing.feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "Restore the posts that were deleted together then, as \"media delete\" writes the time.", valueName: "time"))
  var deletedAt: String?

  @OptionGroup var chosen: ChosenPosts

  @Flag(help: "Tell how many posts would change, and change nothing.")
  var dryRun = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard [!posts.isEmpty, tag != nil, feed != nil, deletedAt != nil, chosen.filter != nil].count(where: \.self) == 1
    else {
      throw ValidationError("give numbers of posts, or --tag, or --feed, or --filter, or --deleted-at")
    }
    guard deletedAt.map({ UTC.date($0) != nil }) ?? true else {
      throw ValidationError("--deleted-at is a time as \"media delete\" writes it, such as 2026-11-21T14:05:30.000Z")
    }
  }

  func run() throws {
    let app = try App(global)
    let now = app.time.now()
    let named = try feed.map { try app.library.storedFeed($0) }
    let ids = try posts.flatMap(\.ids) + chosen.confirmed("restore", .only, app, isDryRun: dryRun)
    if chosen.filter != nil, ids.isEmpty { return try ChangedPosts.sayNone("restored", app.console, json: global.json) }
    let deletion = try app.library.changing(ids) { store in
      if let named { return try store.restore(feed: named, by: app.marker, now: now, dryRun: dryRun) }
      if let moment = deletedAt.flatMap(UTC.date) {
        return try store.restore(deletedAt: moment, by: app.marker, now: now, dryRun: dryRun)
      }
      return try tag.map { try store.restore(tag: $0, by: app.marker, now: now, dryRun: dryRun) }
        ?? store.restore(ids, by: app.marker, now: now, dryRun: dryRun)
    }
    let count = NumberText.count(deletion.changed.count, "post")
    try deletion.say(
      "restored", app.console, json: global.json,
      changed: dryRun ? "\(count) would change." : "Restored \(count).",
      unchanged: "Nothing was deleted there.")
  }
}

extension LibraryOpener {
  /// A feed of the library by its name.
  fileprivate func storedFeed(_ name: String) throws -> Feed {
    try expectIfNamed()
    return try withStore(for: .reading) { try GapsCommand.feed(name, among: try $0.feeds(), try $0.feedTitles()) }
  }

  /// Changes existing posts. Does not create a library: without one, no post has any of the ids.
  fileprivate func changing(_ ids: [Int64], _ body: (Store) throws -> Deletion) throws -> ChangedPosts {
    try expectIfNamed()
    guard exists else { return ChangedPosts(unknown: ids) }
    let deletion = try withStore(body)
    return ChangedPosts(changed: deletion.changed, unknown: deletion.unknown, time: deletion.time)
  }
}

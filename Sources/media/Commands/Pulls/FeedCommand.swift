import ArgumentParser
import FoundationEssentials
import Harvest
import Posts
import Services

/// `media feed URL...`
struct FeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", _superCommandName: Media.name,
    abstract: "Pull the posts of a feed (RSS, Atom, JSON Feed), with their pictures.",
    discussion: """
      The address may be that of a page that names its feed. A feed shows only its newest posts: pull it often enough, \
      or "media gaps" shows what was missed. Posts that the feed no longer shows stay. An unchanged feed is not read \
      again. --server, --account, --source, --api and --budget do not apply to feeds of this kind.
      """)

  @Argument(
    help: ArgumentHelp("The address of a feed, or of a page that names one.", valueName: "url"),
    completion: Completing.addresses)
  var addresses: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard pulling.source.map({ $0.lowercased() == Catalogue.ofAddresses.rawValue }) ?? true else {
      throw ValidationError("--source is feed here, leave it out")
    }
    guard pulling.server.isEmpty else { throw ValidationError("the address names its server, leave --server out") }
    guard pulling.account == nil else { throw ValidationError("feeds know no logins, leave --account out") }
    guard pulling.api == nil else { throw ValidationError("feeds have no API, leave --api out") }
    guard pulling.spending.budget == nil else { throw ValidationError("feeds cost nothing, leave --budget out") }
  }

  func run() async throws {
    let app = try App(global).capturing(in: pulling.warc)
    defer { app.endCapture() }
    let plan = try pulling.plan(now: app.time.now())
    var feeds: [Feed] = []
    var failures: [SourceError] = []
    for address in addresses {
      do {
        let feed = try await app.feeds.feed(at: address)
        if !feeds.contains(feed) { feeds.append(feed) }
      } catch let failure as SourceError where failure != .cancelled { failures.append(failure) }
    }
    try await app.pullRunner(account: nil, plan: plan, json: global.json).run(feeds, without: failures)
  }
}

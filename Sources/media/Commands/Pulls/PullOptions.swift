import ArgumentParser
import FoundationEssentials
import Harvest
import Posts

/// The flags of every command that pulls.
struct PullOptions: ParsableArguments {
  @Option(help: "The maximum pages to read; by default 1, or unlimited with --since, --new or --all.")
  var pages: Int?

  @Flag(help: "Read from the newest page down to known posts.")
  var new = false

  @Flag(help: "Read from the newest page to the end, skipping known posts.")
  var all = false

  @Flag(help: "Finish the latest unfinished pull; if there is none, read below the known posts.")
  var resume = false

  @Option(help: "Posts per page; the source's maximum by default.")
  var pageSize: Int?

  @Option(help: ArgumentHelp("Stop at the first page with only older posts.", valueName: "date"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      "The server: a host, or a URL if it is not https. Repeat it for several servers.", valueName: "url"),
    completion: Completing.servers)
  var server: [String] = []

  @Option(help: "The login to use, as \"media accounts\" shows it.", completion: Completing.accounts)
  var account: String?

  @Option(
    help: "The kind of service: \(SourceHelp.names()); detected by default.",
    completion: Completing.sources)
  var source: String?

  @Option(
    help: "Another API of the service: \(SourceHelp.apis); remembered with the feed.",
    completion: Completing.apis)
  var api: String?

  @OptionGroup var spending: BudgetOption

  @OptionGroup var coming: PictureOptions

  @OptionGroup var limiting: LimitOptions

  @OptionGroup var total: TotalOption

  @Flag(help: "Retry pictures that failed before.")
  var retryFailed = false

  @Option(
    help: ArgumentHelp(
      "Also keep what is asked and what comes, without logins and tokens, as a WARC file in this folder.",
      valueName: "dir"), completion: .directory)
  var warc: String?

  func validate() throws {
    if warc?.isEmpty == true { throw ValidationError("--warc is empty") }
    if let pages, pages < 1 { throw ValidationError("--pages \(pages) reads nothing, it must be 1 or more") }
    try Self.check(pageSize: pageSize)
    guard [new, all, resume].count(where: \.self) <= 1 else {
      throw ValidationError("--new, --all and --resume exclude each other")
    }
    guard !(resume && since != nil) else {
      throw ValidationError("--resume goes on to the date the pull was to reach, leave --since out")
    }
    guard !(coming.noPictures && retryFailed) else {
      throw ValidationError("--retry-failed needs pictures, not --no-pictures")
    }
    try Self.check(limits(), coming)
  }

  /// Which files are taken.
  private func limits() throws -> FileLimits {
    var limits = try limiting.limits()
    limits.maxTotal = try total.bytes()
    return limits
  }

  /// Throws if nothing is there to be limited.
  static func check(_ limits: FileLimits, _ coming: PictureOptions) throws {
    guard coming.noPictures, !limits.isEmpty else { return }
    throw ValidationError("--only, --max-size, --newest and --max-total choose files, leave --no-pictures out")
  }

  /// The maximum of `--page-size`. No source returns so many at once; each lowers it to its own maximum.
  private static let largestPage = 1000

  /// Throws if the page size is out of range.
  static func check(pageSize: Int?) throws {
    guard let pageSize, !(1...largestPage).contains(pageSize) else { return }
    throw ValidationError("--page-size \(pageSize) is out of range, it must be from 1 to \(largestPage)")
  }

  /// The goal that the flags state.
  ///
  /// - Parameter now: The current time, which `--since` must not exceed.
  /// - Throws: `UsageError` if `--since` is not a time, or is in the future.
  func plan(now: Date) throws -> PullPlan {
    let scope: PullPlan.Scope = new ? .new : all ? .all : resume ? .rest : .newest
    return PullPlan(
      scope, pages: pages ?? (scope == .newest && since == nil ? 1 : nil), pageSize: pageSize,
      since: try since.map { try TimeText().past($0, for: "--since", now: now) },
      pictures: !coming.noPictures, avatars: !coming.noAvatars, retryFailed: retryFailed,
      limits: try limits())
  }

  /// Pulls the feeds of a kind that people name so.
  func pull(_ kind: Feed.Kind, _ names: [String], _ global: GlobalOptions) async throws {
    let app = try App(global).capturing(in: warc)
    defer { app.endCapture() }
    let feeds = try app.parser.feeds(kind, names, self)
    try await app.pullRunner(
      account: account, plan: try plan(now: app.time.now()), json: global.json, api: api, budget: spending.price
    )
    .run(feeds)
  }
}

import ArgumentParser
import Filters
import FoundationEssentials
import Posts
import Transfer

/// `media get ADDRESS...`
struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", _superCommandName: Media.name,
    abstract: "Get what a web address shows: a post, a profile, a tag, a feed, or a page of another site.",
    discussion: """
      What a known source shows is pulled, a post by itself. A page that names a feed is read as "media feed" does. Other \
      sites are read by gallery-dl or yt-dlp, if they are installed and the setting extractors is on; what is known \
      there is passed over, and \(Extractor.enoughKnown) known posts in a row end it.
      """)

  @Argument(help: ArgumentHelp("A web address.", valueName: "address"), completion: Completing.addresses)
  var addresses: [String]

  @Flag(help: "Only say what would read each address, and why.")
  var explain = false

  @Flag(help: "Read everything, past posts that are known.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Let this program read it, whatever else could: \(Extractor.all.map(\.name).joined(separator: ", ")).",
      valueName: "program"),
    completion: .list(Extractor.all.map(\.name)))
  var with: String?

  @Option(help: ArgumentHelp("Get the n newest posts alone.", valueName: "n"))
  var newest: Int?

  @OptionGroup var files: FileOptions

  @OptionGroup var total: TotalOption

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if let newest, newest < 1 { throw ValidationError("--newest \(newest) gets nothing, it must be 1 or more") }
    if let with, !Extractor.all.contains(where: { $0.name == with }) {
      throw ValidationError(
        "--with \(Spelling.printable(with)) is no program that reads sites: write "
          + Extractor.all.map(\.name).joined(separator: " or "))
    }
  }

  func run() async throws {
    let app = try App(global)
    var bounds = PageReading.Bounds(readsAll: all, newest: newest)
    let limits = try files.limits()
    (bounds.only, bounds.mostBytes) = (limits.only, limits.maxSize)
    bounds.mostInAll = try total.bytes()
    let getter = PostGetter(app: app, program: with, bounds: bounds, isJSON: global.json)
    if explain { return try await getter.explain(addresses) }
    try await getter.run(addresses)
  }
}

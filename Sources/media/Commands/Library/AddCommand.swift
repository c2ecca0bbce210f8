import ArgumentParser
import Blobs
import FoundationEssentials
import MediaLibrary
import Posts
import Storage

/// `media add TEXT`
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", _superCommandName: Media.name, abstract: "Add a post by hand.",
    discussion: "The list shows it among the others. No pull changes it.")

  @Argument(help: "The post's text, at least 3 characters.")
  var text: String

  @Option(help: "The post's title.")
  var title: String?

  @Option(help: ArgumentHelp("The post's time; now by default.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("The end of the event.", valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp("A picture or file to attach; may be repeated.", valueName: "file"),
    completion: .file())
  var attach: [String] = []

  @Option(help: "A tag of the post; may be repeated.", completion: Completing.tags)
  var tag: [String] = []

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    var post = try post(now: app.time.now())
    // Opened before the library is touched: a missing file must leave nothing behind.
    let files = try attach.map { try AttachedFile($0) }
    try app.library.withStore { store in
      let lock = try app.library.pictureLock.acquireSharedBlocking()
      defer { withExtendedLifetime(lock) {} }
      let drafts = try files.map { try $0.draft(in: app.library.blobs) }
      let headers = try drafts.map { try $0.header() }
      post.attachments = zip(headers, files).map { Attachment($0, name: $1.name) }
      let pictures = zip(try app.library.blobs.keep(drafts), headers).map {
        StoredBlob(id: $0.id, byteCount: $0.byteCount, header: $1)
      }
      let id = try store.add(post, id: UUID(), pictures: pictures, now: app.time.now())
      guard global.json, let whole = try store.post(id) else { return app.console.message("Added post \(id).") }
      try app.console.result(try JSONText.line(PostLine(whole.post)))
    }
  }

  private func post(now: Date) throws -> Post {
    let times = TimeText()
    let typed = ManualPost(
      text: text, title: title, start: try at.map { try times.moment($0, for: "--at") },
      finish: try until.map { try times.moment($0, for: "--until") }, tags: tag)
    do { return try typed.post(now: now) } catch {
      switch error {
      case .endsBeforeStart: throw UsageError("--until is before the post begins", cure: error.cure)
      case .badTag: throw UsageError(error.summary, cure: "write --tag cats --tag birds")
      case .shortText: throw error
      }
    }
  }
}

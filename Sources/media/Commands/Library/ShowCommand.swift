import ArgumentParser
import Blobs
import FoundationEssentials
import Pictures
import Posts
import Storage
import Terminal
import Wording

/// `media show ID`
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Media.name, abstract: "Show a whole post with its pictures.")

  @Argument(help: ArgumentHelp("The id of a post, as \"media list\" shows it, or its web address.", valueName: "id"))
  var post: PostReference

  @Flag(help: "Open the post in the browser.")
  var open = false

  @Flag(help: "Print only the server's answer, unchanged.")
  var raw = false

  @Option(help: "How to show its pictures: auto, kitty, sixel, iterm, blocks or off.")
  var pictures = PicturePreference.auto

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let whole = try app.library.withStore(for: .reading) { store in
      let id = try post.id(in: store)
      guard let whole = try store.post(id) else { throw StorageError.unknownPosts([id]) }
      return whole
    }
    if raw { return try RawAnswer(of: whole, in: app.library.path).print(to: app.console) }
    if open { try openPage(of: whole.post, app.environment) }
    if global.json { return try app.console.result(try JSONText.line(PostLine(whole.post, boxes: true))) }
    let times = MomentText()
    let terminal = app.console.outputIsTerminal ? TerminalSize.current(environment: app.environment) : nil
    let width = min(100, terminal?.columns ?? 80)
    var lines = PostText.whole(
      whole.post, width: width, style: app.output.style, times: times, library: app.library.path)
    lines += RevisionText(whole).lines(width: width, style: app.output.style, times: times)
    for line in lines { try app.console.result(line) }
    try await showPictures(
      of: whole.post, app.library.blobs, app.output, columns: width, rows: max(4, (terminal?.rows ?? 24) / 2))
  }

  private func showPictures(
    of post: StoredPost, _ store: any BlobStoring, _ output: StyledConsole, columns: Int, rows: Int
  ) async throws {
    let blobs = post.attachments.filter { $0.kind == .image }.compactMap(\.blob)
    guard !blobs.isEmpty else { return }
    do {
      guard let shown = try TerminalPictures(pictures, of: store, on: output.console, output.drawingEnvironment) else {
        return
      }
      for blob in blobs {
        let picture = try await lines(of: blob, in: shown, output.console, columns: columns, rows: rows)
        if let picture { try output.console.picture(picture) }
      }
      await shown.end()
    } catch let failure as DrawingFailure {
      output.console.message("media: pictures are not shown: \(failure.message)")
    }
  }

  /// Draws pictures; nil if only pictures cannot be shown, which is reported.
  private func lines(
    of blob: BlobID, in shown: TerminalPictures, _ console: Console, columns: Int, rows: Int
  ) async throws(DrawingFailure) -> PictureLines? {
    do throws(DrawingFailure) {
      return try await shown.lines(of: blob, columns: columns, rows: rows)
    } catch {
      if case .unavailable = error { throw error }
      console.message("media: a picture is not shown: \(error.message)")
      return nil
    }
  }

  private func openPage(of post: StoredPost, _ environment: [String: String]) throws {
    guard let url = post.url else { throw UsageError("post \(post.id) has no page to open") }
    Browser.open(url, environment)
  }
}

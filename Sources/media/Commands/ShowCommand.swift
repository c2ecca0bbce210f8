import ArgumentParser
import Foundation
import Posts
import Storage
import Terminal

/// `media show ID`
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one post whole, with its pictures.")

  @Argument(help: ArgumentHelp("The number of a post, as \"media list\" shows it.", valueName: "id"))
  var id: Int64

  @Flag(help: "Open the post in the browser.")
  var open = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    guard let whole = try app.withStore(for: .reading, { try $0.post(id) }) else {
      throw StorageError.unknownPosts([id])
    }
    if open { try openPage(of: whole.post, app) }
    if global.json { return try app.console.result(try JSONText.line(PostLine(whole.post))) }
    let times = TimeText()
    let terminal = app.console.outputIsTerminal ? TerminalSize.current(environment: app.environment) : nil
    let width = min(100, terminal?.columns ?? 80)
    var lines = PostText.whole(whole.post, width: width, style: app.style, times: times, library: app.places.library)
    for revision in whole.revisions {
      let head = "Until \(times.short(revision.seenAt)) it read:"
      lines += ["", app.style.apply(.dim, to: head)]
      lines += Harmless.text(revision.caption, keepingLines: true).wrapped(to: width)
    }
    for line in lines { try app.console.result(line) }
    if app.style.isOn, let terminal { try draw(whole.post, app, terminal) }
  }

  private func draw(_ post: StoredPost, _ app: App, _ terminal: TerminalSize) throws {
    let blobs = post.attachments.filter { $0.kind == .image }.compactMap(\.blob)
    guard !blobs.isEmpty, let drawer = DrawnPicture(app.environment) else { return }
    for blob in blobs {
      try app.console.result("")
      drawer.draw(
        app.blobs.path(of: blob), columns: min(100, terminal.columns), rows: max(4, (terminal.rows ?? 24) / 2))
    }
  }

  private func openPage(of post: StoredPost, _ app: App) throws {
    guard let url = post.url else { throw UsageError("post \(post.id) has no page to open") }
    Browser.open(url, app.environment)
  }
}

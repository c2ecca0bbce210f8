import ArgumentParser
import Storage

/// `media open ID [N]`
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: Media.name, abstract: "Open an attachment in the system's program.",
    discussion: """
      The program gets a copy, under the file's own name. Programs, scripts and launchers are never opened. The setting \
      opener names another program.
      """)

  @Argument(help: ArgumentHelp("The id of a post, as \"media list\" shows it, or its web address.", valueName: "id"))
  var post: PostReference

  @Argument(help: ArgumentHelp("Which of its attachments, from 1.", valueName: "n"))
  var number = 1

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let viewer = Viewer(blobs: app.library.blobs, environment: app.environment, now: app.time.now)
    let store = try app.library.openStore(for: .reading)
    defer { store.close() }
    try viewer.openAndWait(try attachment(in: store), with: try app.settings.read(in: store).opener)
  }

  private func attachment(in store: Store) throws -> Viewer.File {
    let id = try self.post.id(in: store)
    guard let post = try store.post(id)?.post else { throw StorageError.unknownPosts([id]) }
    guard post.attachments.indices.contains(number - 1) else {
      throw UsageError(
        post.attachments.isEmpty ? "post \(id) has no attachment" : "post \(id) has no attachment \(number)",
        cure: post.attachments.isEmpty ? nil : "give a number from 1 to \(post.attachments.count)")
    }
    let attachment = post.attachments[number - 1]
    guard let blob = attachment.blob else { throw NotStored(post: id, number: number, state: attachment.state) }
    return Viewer.File(blob: blob, name: attachment.name)
  }
}

import ArgumentParser
import Blobs
import Glibc
import Pictures
import Terminal

extension PicturePreference: ExpressibleByArgument {}

/// Checked bytes that show a picture on lines of its own, and do nothing else.
struct PictureLines: Sendable {
  let bytes: [UInt8]

  fileprivate init(_ picture: [UInt8]) { bytes = [UInt8(ascii: "\n")] + picture + [UInt8(ascii: "\n")] }
}

/// Pictures between the lines of a command's results.
struct TerminalPictures {
  private let choice: PictureChoice
  private let cell: CellSize
  private let drawer: PictureDrawer
  private let files: PictureFiles

  /// The renderer of pictures; nil if none are shown. Throws if they were requested but cannot be shown.
  ///
  /// It queries the terminal, which takes a moment: create it only when there is a picture to show.
  init?(
    _ wish: PicturePreference, of blobs: any BlobStoring, on console: Console, _ environment: [String: String]
  ) throws(DrawingFailure) {
    // Pictures go into a file or a pipe only if their format was named.
    guard wish != .off, wish != .auto || console.outputIsTerminal else { return nil }
    let answers = Self.answers(wish, environment)
    guard let choice = PictureChoice.of(wish, answers: answers, environment: environment) else { return nil }
    self.choice = choice
    cell = TerminalSize.cell(of: STDOUT_FILENO) ?? answers.cell ?? .usual
    drawer = PictureDrawer(
      program: try PictureProgram.find(environment), environment: environment, memory: 0, now: { .now })
    files = PictureFiles(of: blobs, environment: environment)
  }

  /// Draws a picture.
  func lines(of blob: BlobID, columns: Int, rows: Int) async throws(DrawingFailure) -> PictureLines {
    let request = PictureRequest(
      path: files.path(of: blob), columns: columns, rows: rows, cell: cell, format: choice.format,
      colours: choice.colours)
    let bytes = try await files.draw(request, by: drawer).bytes
    return PictureLines(choice.isWrapped ? Passthrough.tmux(bytes) : bytes)
  }

  /// Ends the picture worker.
  func end() async { await drawer.endChild() }

  private static func answers(_ wish: PicturePreference, _ environment: [String: String]) -> TerminalAnswers {
    let isUseless = wish == .blocks || environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    let terminal = isUseless ? -1 : open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return TerminalAnswers() }
    defer { close(terminal) }
    let isTmux = environment["TMUX"]?.isEmpty == false
    // tmux may swallow the question, so that the wait needs a limit.
    let (answers, typed) = TerminalQuestion.ask(
      terminal, throughTmux: isTmux, limit: .milliseconds(isTmux ? 150 : 500), now: { .now })
    TerminalQuestion.pushBack(typed, to: terminal)
    return answers
  }
}

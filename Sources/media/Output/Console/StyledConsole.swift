import Terminal

/// Prints results in the styles and the width of the user's terminal.
struct StyledConsole: Sendable {
  let console: Console
  private let environment: [String: String]
  private let isPlain: Bool

  init(console: Console, environment: [String: String], isPlain: Bool) {
    (self.console, self.environment, self.isPlain) = (console, environment, isPlain)
  }

  /// The maximum width of tables of posts: the terminal's, else COLUMNS, else that of a common terminal. A cell may be very long.
  var tableWidth: Int {
    let size =
      console.outputIsTerminal ? TerminalSize.current(environment: environment) : TerminalSize.from(environment)
    return size?.columns ?? 80
  }

  /// The maximum width of other tables. Outside a terminal nothing is cut unless COLUMNS is set: their cells are needed
  /// whole, and none is as long as a caption.
  var reportWidth: Int? { console.outputIsTerminal ? tableWidth : TerminalSize.from(environment)?.columns }

  /// Prints a table that fits.
  ///
  /// - Parameter isOfPosts: Whether its cells may be as long as captions.
  func print(_ table: Table, isOfPosts: Bool = false) throws {
    for line in table.lines(width: isOfPosts ? tableWidth : reportWidth, style: style) { try console.result(line) }
  }

  /// The environment for pictures: without colours they are drawn as shapes.
  var drawingEnvironment: [String: String] {
    isPlain ? environment.merging(["NO_COLOR": "1"]) { _, plain in plain } : environment
  }

  /// The styles of results.
  var style: Style { isPlain ? Style(.none) : Style(for: 1, environment: environment) }
}

import Terminal

/// Prints results in the styles and the width of the user's terminal.
struct StyledConsole: Sendable {
  let console: Console
  private let environment: [String: String]
  private let isPlain: Bool

  init(console: Console, environment: [String: String], isPlain: Bool) {
    (self.console, self.environment, self.isPlain) = (console, environment, isPlain)
  }

  /// The maximum width of tables: the terminal's, else COLUMNS, else that of a common terminal. A cell may be very long.
  var tableWidth: Int {
    let size =
      console.outputIsTerminal ? TerminalSize.current(environment: environment) : TerminalSize.from(environment)
    return size?.columns ?? 80
  }

  /// Prints a table that fits.
  func print(_ table: Table) throws {
    for line in table.lines(width: tableWidth, style: style) { try console.result(line) }
  }

  /// The environment for pictures: without colours they are drawn as shapes.
  var drawingEnvironment: [String: String] {
    isPlain ? environment.merging(["NO_COLOR": "1"]) { _, plain in plain } : environment
  }

  /// The styles of results.
  var style: Style { isPlain ? Style(.none) : Style(for: 1, environment: environment) }
}

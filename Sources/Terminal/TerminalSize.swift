import Glibc

/// The size of the terminal, in character cells.
public struct TerminalSize: Equatable, Sendable {
  /// The number of cells from left to right.
  public var columns: Int
  /// The number of cells from top to bottom, if known.
  public var rows: Int?

  /// Creates a size in cells.
  public init(columns: Int, rows: Int? = nil) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of the terminal of standard output, otherwise the size by `COLUMNS` and `LINES`, otherwise nil.
  public static func current(environment: [String: String]) -> TerminalSize? {
    of(STDOUT_FILENO) ?? from(environment)
  }

  /// The size of the terminal of a file descriptor; nil if there is none or its size is unknown.
  public static func of(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : nil)
  }

  /// The size of a cell of a file descriptor's terminal; nil if the terminal does not report pixels.
  public static func cell(of descriptor: Int32) -> CellSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    let cell = CellSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    return cell.isPlausible ? cell : nil
  }

  /// The size by `COLUMNS` and `LINES`; nil if the numbers are implausible.
  public static func from(_ environment: [String: String]) -> TerminalSize? {
    let plausible = 1...10_000
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), plausible.contains(columns) else { return nil }
    let rows = environment["LINES"].flatMap { Int($0) }.flatMap { plausible.contains($0) ? $0 : nil }
    return TerminalSize(columns: columns, rows: rows)
  }
}

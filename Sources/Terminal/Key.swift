/// A key press.
public enum Key: Sendable, Hashable {
  /// A letter, digit or sign. A character of several code points may arrive as several keys.
  case character(Character)
  /// Ctrl with a letter.
  case control(Character)
  case enter, escape, backspace, delete, insert, tab, backTab
  case up, down, left, right, home, end, pageUp, pageDown
}

/// A mouse event over a cell.
public struct Mouse: Sendable, Hashable {
  /// The kind of a mouse event.
  public enum Act: Sendable, Hashable { case press, release, wheelUp, wheelDown }

  /// The kind of the event.
  public var act: Act
  /// The row of the cell, from 0.
  public var row: Int
  /// The column of the cell, from 0.
  public var column: Int

  /// Creates what the mouse did at a cell.
  public init(_ act: Act, row: Int, column: Int) {
    self.act = act
    self.row = row
    self.column = column
  }
}

/// An input event of a terminal.
public enum InputEvent: Sendable, Hashable {
  case key(Key)
  case mouse(Mouse)
  /// Pasted text, unchanged.
  case paste(String)
  /// Whether the terminal's window has the keyboard focus.
  case focus(Bool)
}

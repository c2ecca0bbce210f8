/// A key as a person presses it.
public enum Key: Sendable, Hashable {
  /// A letter, a digit, a sign; one that people see as a single character may come as several.
  case character(Character)
  /// A letter with Ctrl.
  case control(Character)
  case enter, escape, backspace, delete, insert, tab, backTab
  case up, down, left, right, home, end, pageUp, pageDown
}

/// What the mouse did over a cell, counted from 0.
public struct Mouse: Sendable, Hashable {
  /// What it did.
  public enum Act: Sendable, Hashable { case press, release, wheelUp, wheelDown }

  /// What it did.
  public var act: Act
  /// Over which row.
  public var row: Int
  /// Over which column.
  public var column: Int

  /// An act from its parts.
  public init(_ act: Act, row: Int, column: Int) {
    self.act = act
    self.row = row
    self.column = column
  }
}

/// What comes from a terminal.
public enum InputEvent: Sendable, Hashable {
  case key(Key)
  case mouse(Mouse)
  /// Text that was pasted, as it came.
  case paste(String)
  /// Whether the terminal's window has the keyboard.
  case focus(Bool)
}

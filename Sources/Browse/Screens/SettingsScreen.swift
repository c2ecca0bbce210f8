import Terminal

/// The settings on the screen: the selected one, and the value being typed.
struct SettingsScreen: Sendable, Equatable {
  var selectedIndex = 0
  var field: TextField?

  /// Handles a key. Returns nil if the screen is closed.
  mutating func handle(_ key: Key, _ rows: [SettingRow]) -> [WriteEffect]? {
    if var field {
      switch key {
      case .enter:
        self.field = nil
        return rows.indices.contains(selectedIndex) ? [.set(rows[selectedIndex].name, field.trimmed)] : []
      case .escape: self.field = nil
      default:
        _ = field.handle(key)
        self.field = field
      }
      return []
    }
    switch key {
    case .character("j"), .down: selectedIndex = min(selectedIndex + 1, max(0, rows.count - 1))
    case .character("k"), .up: selectedIndex = max(0, selectedIndex - 1)
    case .enter, .character(" "), .right: return change(rows)
    case .escape, .character("q"), .character("s"): return nil
    default: break
    }
    return []
  }

  /// Selects the next choice, or opens a text field if there are no choices.
  private mutating func change(_ rows: [SettingRow]) -> [WriteEffect] {
    guard rows.indices.contains(selectedIndex) else { return [] }
    let row = rows[selectedIndex]
    guard let now = row.choices.firstIndex(of: row.value) else {
      field = TextField(text: row.value)
      return []
    }
    return [.set(row.name, row.choices[(now + 1) % row.choices.count])]
  }
}

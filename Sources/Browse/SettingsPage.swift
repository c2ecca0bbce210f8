import Terminal

/// The settings on the screen: the selected one, and the value being typed.
struct SettingsPage: Sendable, Equatable {
  var place = 0
  var field: TextField?

  /// Handles a key. Returns nil if the screen is closed.
  mutating func take(_ key: Key, _ rows: [SettingRow]) -> [Effect]? {
    if var field {
      switch key {
      case .enter:
        self.field = nil
        return rows.indices.contains(place) ? [.set(rows[place].name, field.trimmed)] : []
      case .escape: self.field = nil
      default:
        _ = field.take(key)
        self.field = field
      }
      return []
    }
    switch key {
    case .character("j"), .down: place = min(place + 1, max(0, rows.count - 1))
    case .character("k"), .up: place = max(0, place - 1)
    case .enter, .character(" "), .right: return change(rows)
    case .escape, .character("q"), .character("s"): return nil
    default: break
    }
    return []
  }

  /// Selects the next choice, or opens a text field if there are no choices.
  private mutating func change(_ rows: [SettingRow]) -> [Effect] {
    guard rows.indices.contains(place) else { return [] }
    let row = rows[place]
    guard let now = row.choices.firstIndex(of: row.value) else {
      field = TextField(text: row.value)
      return []
    }
    return [.set(row.name, row.choices[(now + 1) % row.choices.count])]
  }
}

import Terminal

/// The keys of the interactive list, for documentation and for other programs that use the same keys.
public enum KeyTable {
  /// Keys with the same action.
  public struct Binding: Sendable, Equatable {
    /// The name of the action.
    public let action: String
    /// What its group in the help is called.
    public let group: String
    /// The keys, as browsers name them (https://www.w3.org/TR/uievents-key/), after `Control+` if Ctrl is held.
    public let keys: [String]
    /// The keys as shown to users.
    public let shown: String
    /// What they do.
    public let help: String
    /// What they do in the gallery.
    public let helpInGallery: String
    /// Whether the gallery has nothing like it.
    public let isOnlyInTerminal: Bool
  }

  /// Keys with their descriptions, in the order of the list's help.
  public static var entries: [(keys: String, help: String)] { KeyMap.entries.map { ($0.shown, $0.help) } }

  /// The bindings, in the same order.
  public static var bindings: [Binding] {
    KeyMap.entries.map {
      Binding(
        action: $0.action.rawValue, group: KeyMap.title(of: $0.action), keys: $0.keys.map(\.browserName),
        shown: $0.shown, help: $0.help,
        helpInGallery: $0.inGallery ?? $0.help, isOnlyInTerminal: $0.isOnlyInTerminal)
    }
  }
}

extension Key {
  /// The key as browsers name it.
  fileprivate var browserName: String {
    switch self {
    case .character(let character): String(character)
    case .control(let character): "Control+\(character)"
    case .enter: "Enter"
    case .escape: "Escape"
    case .backspace: "Backspace"
    case .delete: "Delete"
    case .insert: "Insert"
    case .tab: "Tab"
    case .backTab: "Shift+Tab"
    case .up: "ArrowUp"
    case .down: "ArrowDown"
    case .left: "ArrowLeft"
    case .right: "ArrowRight"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    }
  }
}

/// What a key does. The bindings are those of the interactive list in the terminal.
package struct KeyBinding: Encodable, Sendable, Equatable {
  /// The name of the action.
  package let action: String
  /// The keys, as browsers name them (https://www.w3.org/TR/uievents-key/), after `Control+` if Ctrl is held.
  package let keys: [String]
  /// The keys as shown to users.
  package let shown: String
  /// What they do.
  package let help: String

  /// Creates a binding.
  package init(action: String, keys: [String], shown: String, help: String) {
    (self.action, self.keys, self.shown, self.help) = (action, keys, shown, help)
  }

  /// The actions that only a terminal has. In the gallery, the page of a post made by hand leads to the form that edits it.
  private static let terminalActions: Set = ["suspend", "quit", "edit"]

  /// Whether the gallery has the action.
  var isOfGallery: Bool { !Self.terminalActions.contains(action) }
}

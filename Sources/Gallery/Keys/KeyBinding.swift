/// What a key does. The bindings are those of the interactive list in the terminal.
package struct KeyBinding: Encodable, Sendable, Equatable {
  /// The name of the action.
  package let action: String
  /// What its group in the help is called.
  package let group: String
  /// The keys, as browsers name them (https://www.w3.org/TR/uievents-key/), after `Control+` if Ctrl is held.
  package let keys: [String]
  /// The keys as shown to users.
  package let shown: String
  /// What they do.
  package let help: String

  /// Creates a binding.
  package init(action: String, group: String, keys: [String], shown: String, help: String) {
    (self.action, self.group, self.keys, self.shown, self.help) = (action, group, keys, shown, help)
  }

  /// The actions that only a terminal has. In the gallery, the page of a post made by hand leads to the form that edits it.
  private static let terminalActions: Set = ["suspend", "quit", "edit"]

  /// What marks posts. The terminal may have other keys for it: these count here.
  static let marking = [
    KeyBinding(
      action: "markFavourite", group: "Marking", keys: ["*"], shown: "*", help: "a favourite, or none any more"),
    KeyBinding(
      action: "markRating", group: "Marking", keys: (0...5).map(String.init), shown: "0 to 5",
      help: "rate it; 0 takes it away"),
    KeyBinding(
      action: "markSeen", group: "Marking", keys: ["n"], shown: "n", help: "you have seen it; on to the next post"),
    KeyBinding(action: "markTag", group: "Marking", keys: ["+"], shown: "+", help: "give it a tag of your own"),
    KeyBinding(action: "markAlbum", group: "Marking", keys: ["A"], shown: "A", help: "add it to an album"),
    KeyBinding(
      action: "markSame", group: "Marking", keys: ["="], shown: "=", help: "the selected posts show the same picture"),
    KeyBinding(action: "markDifferent", group: "Marking", keys: ["!"], shown: "!", help: "they do not, however alike"),
    KeyBinding(action: "alike", group: "The post", keys: ["i"], shown: "i", help: "posts with a picture like its own"),
    KeyBinding(
      action: "decide", group: "Looking through", keys: ["w"], shown: "w",
      help: "decide one by one: each key leads to the next post"),
  ]

  /// What looks at pictures one by one or side by side, which a terminal has no room for.
  static let looking = [
    KeyBinding(
      action: "slideshow", group: "Looking through", keys: ["p"], shown: "p", help: "a slideshow, from here on"),
    KeyBinding(
      action: "compare", group: "Looking through", keys: ["C"], shown: "C",
      help: "two to four selected pictures side by side"),
  ]

  /// The keys of a gallery: those of the terminal that it has, and those that mark.
  static func ofGallery(_ table: [KeyBinding], isReadOnly: Bool) -> [KeyBinding] {
    let own = (isReadOnly ? [] : marking) + looking
    let taken = Set((marking + looking).flatMap(\.keys))
    let all = table.filter { $0.isOfGallery && taken.isDisjoint(with: $0.keys) } + own
    return all.groups.flatMap(\.bindings)
  }

  /// Whether the gallery has the action.
  var isOfGallery: Bool { !Self.terminalActions.contains(action) }
}

extension [KeyBinding] {
  /// The bindings by what they are for, in the order in which the groups come first.
  var groups: [(title: String, bindings: [KeyBinding])] {
    var titles: [String] = []
    for binding in self where !titles.contains(binding.group) { titles.append(binding.group) }
    return titles.map { title in (title, filter { $0.group == title }) }
  }
}

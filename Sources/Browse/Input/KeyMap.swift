import Terminal

/// What a key does in the list.
enum Action: String, Sendable, CaseIterable {
  case down, up, left, right, pageDown, pageUp, top, bottom
  case read, openPage, openPicture, openFile, copyLink
  case delete, undo, add, edit, restore
  case favourite, rate, ownTag, album, note, hide, seen, alike, call
  case select, selectTo, selectAll
  case search, choose, side, back, refresh, fill, logIn
  case view, calendar
  case settings, help, suspend, quit

  /// Whether it acts on what is selected.
  var isOnSelection: Bool { [.delete, .favourite, .rate, .ownTag, .album, .hide, .seen, .call].contains(self) }
}

/// The key bindings of the list. Input and help both read this table.
enum KeyMap {
  /// Keys with the same action.
  struct Entry: Sendable {
    let keys: [Key]
    /// The keys as shown to users.
    let shown: String
    let action: Action
    /// What they do.
    let help: String
    /// What they do in the gallery, where that differs.
    var inGallery: String?
    /// Whether the gallery has nothing like it.
    var isOnlyInTerminal = false
  }

  static let entries: [Entry] = [
    Entry(
      keys: [.character("j"), .down], shown: "j ↓", action: .down, help: "next post; at the end, older ones",
      inGallery: "next post"),
    Entry(keys: [.character("k"), .up], shown: "k ↑", action: .up, help: "post before"),
    Entry(keys: [.character("h"), .left], shown: "h ←", action: .left, help: "the post to the left, in the grid"),
    Entry(keys: [.character("l"), .right], shown: "l →", action: .right, help: "the post to the right, in the grid"),
    Entry(
      keys: [.pageDown, .character(" "), .control("f")], shown: "PgDn Space", action: .pageDown, help: "a page down"),
    Entry(keys: [.pageUp, .character("b"), .control("b")], shown: "PgUp b", action: .pageUp, help: "a page up"),
    Entry(keys: [.character("g"), .home], shown: "g Home", action: .top, help: "newest post"),
    Entry(
      keys: [.character("G"), .end], shown: "G End", action: .bottom, help: "oldest stored post; then older ones",
      inGallery: "oldest stored post"),
    Entry(keys: [.enter], shown: "Enter", action: .read, help: "the post whole"),
    Entry(
      keys: [.character("z")], shown: "z", action: .openPicture, help: "its picture over the whole window"),
    Entry(
      keys: [.character("o")], shown: "o", action: .openPage, help: "open its page in the browser",
      inGallery: "its page at its server, in a new tab"),
    Entry(
      keys: [.character("O")], shown: "O", action: .openFile, help: "open its stored picture in the system's viewer",
      inGallery: "its stored picture, in a new tab"),
    Entry(keys: [.character("y")], shown: "y", action: .copyLink, help: "copy its link"),
    Entry(
      keys: [.character("i")], shown: "i", action: .alike, help: "posts with a picture like its own",
      isOnlyInTerminal: true),
    Entry(keys: [.character("d"), .delete], shown: "d Delete", action: .delete, help: "delete the post"),
    Entry(keys: [.character("u")], shown: "u", action: .undo, help: "undo the last change"),
    Entry(
      keys: [.character("a")], shown: "a", action: .add, help: "add a post of your own; Tab adds name, time and files",
      inGallery: "add a post of your own"),
    Entry(keys: [.character("e")], shown: "e", action: .edit, help: "change a post of your own"),
    Entry(
      keys: [.character("*")], shown: "*", action: .favourite, help: "a favourite, or none any more",
      isOnlyInTerminal: true),
    Entry(
      keys: "012345".map { .character($0) }, shown: "0–5", action: .rate, help: "rate it; 0 takes the rating away",
      isOnlyInTerminal: true),
    Entry(
      keys: [.character("+")], shown: "+", action: .ownTag, help: "your own tag; -name takes it away",
      isOnlyInTerminal: true),
    Entry(keys: [.character("A")], shown: "A", action: .album, help: "add it to an album", isOnlyInTerminal: true),
    Entry(keys: [.character("N")], shown: "N", action: .note, help: "write a note to it", isOnlyInTerminal: true),
    Entry(
      keys: [.character("H")], shown: "H", action: .hide, help: "hide it, its author or a tag", isOnlyInTerminal: true),
    Entry(
      keys: [.character("n")], shown: "n", action: .seen, help: "you have seen it; on to the next",
      isOnlyInTerminal: true),
    Entry(
      keys: [.character("="), .character("!")], shown: "= !", action: .call,
      help: "selected: the same picture, or not", isOnlyInTerminal: true),
    Entry(
      keys: [.character("x")], shown: "x", action: .select, help: "select it, or not any more"),
    Entry(
      keys: [.character("X")], shown: "X", action: .selectTo, help: "select from the last one to here"),
    Entry(
      keys: [.character("M")], shown: "M", action: .selectAll, help: "select all posts of this list"),
    Entry(keys: [.character("/")], shown: "/", action: .search, help: "words or a filter, as you type"),
    Entry(
      keys: [.character("t")], shown: "t", action: .choose, help: "another tag, user, search or album",
      inGallery: "another tag, user or search"),
    Entry(
      keys: [.tab], shown: "Tab", action: .side, help: "the side list, on a wide screen",
      isOnlyInTerminal: true),
    Entry(keys: [.escape], shown: "Esc", action: .back, help: "select none; end the search; back to all posts"),
    Entry(keys: [.character("r")], shown: "r", action: .refresh, help: "look for new posts now"),
    Entry(
      keys: [.character("f")], shown: "f", action: .fill, help: "fill the gap nearest to the post",
      inGallery: "the gaps, on the status page"),
    Entry(
      keys: [.character("L")], shown: "L", action: .logIn, help: "log in where the list wants it",
      inGallery: "log in at a server"),
    Entry(keys: [.character("c")], shown: "c", action: .calendar, help: "calendar: how many posts each day has"),
    Entry(keys: [.character("R")], shown: "R", action: .restore, help: "bring deleted posts back"),
    Entry(keys: [.character("v")], shown: "v", action: .view, help: "list or grid"),
    Entry(keys: [.character("s")], shown: "s", action: .settings, help: "settings"),
    Entry(keys: [.character("?")], shown: "?", action: .help, help: "this help"),
    Entry(keys: [.control("z")], shown: "Ctrl-Z", action: .suspend, help: "to the shell; fg comes back"),
    Entry(keys: [.character("q")], shown: "q", action: .quit, help: "quit"),
  ]

  /// The actions by what they are for.
  static let groups: [(title: String, actions: Set<Action>)] = [
    ("Moving", [.down, .up, .left, .right, .pageDown, .pageUp, .top, .bottom]),
    ("The post", [.read, .openPage, .openPicture, .openFile, .copyLink, .alike]),
    ("Changing", [.delete, .undo, .add, .edit, .restore]),
    ("Marking", [.favourite, .rate, .ownTag, .album, .note, .hide, .seen, .call, .select, .selectTo, .selectAll]),
    ("Finding and pulling", [.search, .choose, .side, .back, .calendar, .refresh, .fill, .logIn]),
    ("The screen", [.view, .settings, .help, .suspend, .quit]),
  ]

  /// The title of an action's group.
  static func title(of action: Action) -> String { groups.first { $0.actions.contains(action) }?.title ?? "" }

  private static let actions = Dictionary(
    entries.flatMap { entry in entry.keys.map { ($0, entry.action) } }, uniquingKeysWith: { first, _ in first })

  /// The keys of some actions with their descriptions, in the table's order.
  static func shown(of actions: some Sequence<Action>) -> [(String, String)] {
    entries.filter { actions.contains($0.action) }.map { ($0.shown, $0.help) }
  }

  /// The action of a key; nil if it has none.
  static func action(_ key: Key) -> Action? { actions[key] }
}

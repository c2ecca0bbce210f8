import Posts

/// How the program behaves, after the defaults, the file and what was set by command.
struct Settings: Equatable, Sendable {
  /// How the interactive list begins.
  enum View: String, Sendable { case list, grid }
  /// How pictures are drawn in a terminal.
  enum Pictures: String, Sendable { case auto, kitty, sixel, iterm, blocks, off }

  /// Every setting's value, canonical, so that its reader below can read it.
  private var values = Dictionary(uniqueKeysWithValues: SettingKey.allCases.map { ($0, $0.standard) })

  /// The defaults.
  init() {}

  /// The file's values, overlaid by those `media settings KEY VALUE` stored. A stored value this version cannot read
  /// (a version to come may have written it) is passed over: a library must not lock its owner out. `commands` are the
  /// person's own; of what a library holds nothing is ever run.
  init(file: [SettingKey: String] = [:], stored: [String: String], commands: [SettingKey: String] = [:]) {
    for (key, text) in file { set(key, text) }
    for (name, text) in stored {
      guard let key = SettingKey(rawValue: name), !key.isCommand else { continue }
      set(key, text)
    }
    for (key, command) in commands { set(key, command) }
  }

  private mutating func set(_ key: SettingKey, _ text: String) {
    if let value = try? key.canonical(text) { values[key] = value }
  }

  /// A setting's value as people write it.
  subscript(key: SettingKey) -> String { values[key]! }

  /// Whether avatars are shown and fetched.
  var avatars: Bool { self[.avatars] == "on" }
  /// How the interactive list begins.
  var view: View { View(rawValue: self[.view])! }
  /// The time between two refreshes of the list.
  var refresh: Duration { Measures.duration(self[.refresh])! }
  /// The disk kept for avatars.
  var cache: ByteCount { ByteCount(self[.cache])! }
  /// The memory kept for decoded pictures.
  var memory: ByteCount { ByteCount(self[.memory])! }
  /// How pictures are drawn.
  var pictures: Pictures { Pictures(rawValue: self[.pictures])! }
  /// How long deleted posts keep their pictures.
  var trash: Duration { Measures.duration(self[.trash])! }
  /// How old a picture is that may be taken as garbage.
  var grace: Duration { Measures.duration(self[.grace])! }
  /// The person's own command for notices; nil where there is none.
  var notify: String? { self[.notify] == "off" ? nil : self[.notify] }
  /// The person's own program for pictures; nil where it is the desktop's.
  var opener: String? { self[.opener] == "off" ? nil : self[.opener] }
  /// Whether rows slide when the list changes.
  var animation: Bool { self[.animation] == "on" }
}

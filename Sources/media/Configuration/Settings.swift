import Login
import Pictures
import Posts

/// The program's settings: the defaults, overridden by the file, overridden by `media settings`.
struct Settings: Equatable, Sendable {
  /// The initial layout of the interactive list.
  enum View: String, Sendable { case list, grid }
  /// How pictures are drawn in a terminal.
  enum Pictures: String, Sendable { case auto, kitty, sixel, iterm, blocks, off }

  /// Every setting's value in canonical form, so that the accessors can parse it.
  private var values = Dictionary(uniqueKeysWithValues: SettingKey.allCases.map { ($0, $0.standard) })

  /// The defaults.
  init() {}

  /// The file's values, overridden by those that `media settings KEY VALUE` stored. Ignores a stored value that this
  /// version cannot parse (a later version may have written it): a library must not lock its owner out. `commands` are the
  /// user's own; commands in a library are never run.
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

  /// A setting's value as users write it.
  subscript(key: SettingKey) -> String { values[key]! }

  /// Whether avatars are shown and fetched.
  var avatars: Bool { self[.avatars] == "on" }
  /// The initial layout of the interactive list.
  var view: View { View(rawValue: self[.view])! }
  /// Whether lists show a post that came by several networks once.
  var fold: Bool { self[.fold] == "on" }
  /// The interval between two refreshes of the list.
  var refresh: Duration { Measures.duration(self[.refresh])! }
  /// The disk limit of avatars.
  var cache: ByteCount { ByteCount(self[.cache])! }
  /// The disk limit of a gallery's thumbnails.
  var thumbnails: ByteCount { ByteCount(self[.thumbnails])! }
  /// The memory limit of decoded pictures.
  var memory: ByteCount { ByteCount(self[.memory])! }
  /// How pictures are drawn.
  var pictures: Pictures { Pictures(rawValue: self[.pictures])! }
  /// How long deleted posts keep their pictures.
  var trash: Duration { Measures.duration(self[.trash])! }
  /// The minimum age at which a picture may be collected as garbage.
  var grace: Duration { Measures.duration(self[.grace])! }
  /// The user's command for notices; nil if there is none.
  var notify: String? { self[.notify] == "off" ? nil : self[.notify] }
  /// The user's picture viewer; nil for the desktop's.
  var opener: String? { self[.opener] == "off" ? nil : self[.opener] }
  /// Whether extractors may be started.
  var extractors: Bool { self[.extractors] == "on" }
  /// Whether the person's own configuration of extractors counts.
  var extractorConfig: Bool { self[.extractorConfig] == "on" }
  /// The user's program with a model; nil if there is none.
  var look: String? { self[.look] == "off" ? nil : self[.look] }
  /// The memory limit of that program.
  var lookMemory: ByteCount { ByteCount(self[.lookMemory])! }
  /// Whether harvests look at new files.
  var inspection: Bool { self[.inspection] == "on" }
  /// The languages in which text in pictures is read; nil if none is.
  var textLanguages: TextLanguages? { self[.textLanguages] == "off" ? nil : TextLanguages(self[.textLanguages]) }

  /// The languages in which text can be read here; nil if the setting is off, or if they are not installed.
  func readableLanguages(_ environment: [String: String]) -> TextLanguages? {
    textLanguages.flatMap { $0.obstacle(environment) == nil ? $0 : nil }
  }
  /// Whether harvests read the stream of a network's posts.
  var jetstream: Bool { self[.jetstream] == "on" }
  /// The server of that stream.
  var jetstreamServer: Server { Server(self[.jetstreamServer])! }
  /// The servers that know a network's accounts.
  var directories: Directories {
    let resolver = self[.handleResolver]
    return Directories(
      documents: self[.plcDirectory] == SettingKey.plcDirectory.standard ? nil : Server(self[.plcDirectory]),
      handles: resolver == "own" ? nil : Server(resolver))
  }
  /// Whether rows slide when the list changes.
  var animation: Bool { self[.animation] == "on" }
}

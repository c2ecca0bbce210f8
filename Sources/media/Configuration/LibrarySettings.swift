import Filters
import FoundationEssentials
import Login
import Posts
import Storage
import Synchronization
import Terminal
import Wording

/// Reads and stores settings: those of the files, and those of the library.
struct LibrarySettings: Sendable {
  let paths: LibraryPaths
  let console: Console
  /// Messages already shown about settings without effect.
  let notice = Once()
  private let known = KnownDirectories()

  /// The settings of the files and the library.
  func read(in store: Store) throws -> Settings {
    let file = try files()
    if paths.isInLibrary, let message = try ignoredMessage() { warn(message) }
    return Settings(file: file, stored: try store.settings(), commands: try commands())
  }

  /// The person's own settings, without those that a library keeps.
  func own() throws -> Settings { Settings(file: try files(), stored: [:], commands: try commands()) }

  /// The servers that know a network's accounts, as the command found them set: a harvest asks for each of its feeds.
  var directories: Directories {
    known.value.withLock { value in
      // A mistake in the file was told when the command began.
      value = value ?? (try? own())?.directories
      return value ?? Directories()
    }
  }

  /// Throws if a line of a file of settings is a mistake. Every command says so, also one that needs no setting.
  func expectNoMistake() throws {
    // A file that may not be opened stops only what needs a setting.
    do { _ = try files() } catch let error as ConfigurationFileError where error.line == nil {}
  }

  private func files() throws -> [SettingKey: String] {
    guard paths.isInLibrary else { return try SettingsFile.read(paths.settingsFile) }
    var file = try SettingsFile.read(ofLibrary: paths.settingsFile).settings.filter { !$0.key.isCommand }
    let own = try paths.commands.map { try SettingsFile.read("\($0)/\(LibraryPaths.settingsName)") } ?? [:]
    file.merge(own.filter(\.key.isCommand)) { $1 }
    return file
  }

  /// What the tables of the user's own file set, as people may see it.
  func tables() throws -> [(name: String, shown: String, help: String)] {
    guard let file = paths.commands.map({ "\($0)/\(LibraryPaths.settingsName)" }) else { return [] }
    typealias Row = (name: String, shown: String, help: String)
    let libraries: [Row] = try SettingsFile.libraries(file).sorted { $0.key < $1.key }.map { name, value -> Row in
      ("libraries.\(name)", LibraryAddress(value)?.shown ?? value, "a library's name, from config.toml")
    }
    let hosts: [Row] = try SettingsFile.hosts(file).sorted { $0.key < $1.key }.flatMap { host, settings in
      settings.shown.map { set -> Row in
        ("hosts.\(host).\(set.name)", set.value, "for requests to a host, from config.toml")
      }
    }
    return libraries + hosts
  }

  /// Stores a setting in the library. A user's command goes into a file that only the user may write, outside the library's
  /// folder. nil forgets what was stored.
  func set(_ key: SettingKey, to value: String?, in store: Store) throws {
    guard key.isCommand else { return try store.set(key.rawValue, to: value) }
    guard let folder = paths.commands else { throw LibraryPathsError.noOwnFolder }
    let file = Self.commandFile(key, in: folder)
    try file.locked { () throws(AccountsError) in
      if let value { try file.replace(with: Array(value.utf8)) } else { try file.remove() }
    }
  }

  private func commands() throws -> [SettingKey: String] {
    var commands: [SettingKey: String] = [:]
    guard let folder = paths.commands else { return commands }
    for key in SettingKey.allCases where key.isCommand {
      commands[key] = try Self.commandFile(key, in: folder).read().map { String(decoding: $0, as: UTF8.self) }
    }
    return commands
  }

  private static func commandFile(_ key: SettingKey, in folder: String) -> ProtectedFile {
    ProtectedFile(folder: folder, name: key.rawValue, content: "your command")
  }

  /// A message about settings of the library that have no effect there; nil if there are none. Otherwise anyone who passes
  /// on a library could have commands run.
  func ignoredMessage() throws -> SafeText? {
    guard paths.isInLibrary else { return nil }
    let file = try SettingsFile.read(ofLibrary: paths.settingsFile)
    let keys = SettingKey.allCases.filter { key in
      key.isCommand && [file.settings[key], storedCommand(key)].contains { $0 != nil && $0 != "off" }
    }
    let folder = paths.configuration
    var parts: [SafeText] = []
    if !keys.isEmpty {
      let cure =
        paths.commands.map { "\"media settings \(keys[0].rawValue) \(keys[0].sample)\" keeps one in \($0)" }
        ?? LibraryPathsError.ownFolderCure
      let verbs = keys.count == 1 ? ("runs", "it lies") : ("run", "they lie")
      let names = NumberText.list(keys.map(\.rawValue))
      parts.append("\(names) in \(folder) \(verbs.0) nothing, since \(verbs.1) in the library: \(cure)")
    }
    if !file.ignored.isEmpty {
      let names = file.ignored.prefix(8).map {
        $0.hasPrefix("[") ? Spelling.printable($0) : "\"\(Spelling.printable($0))\""
      }
      let are = file.ignored.count == 1 ? "is not a setting" : "are not settings"
      parts.append("\(NumberText.list(names)) in \(paths.settingsFile) \(are) of a library")
    }
    guard let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { "\($0); \($1)" }
  }

  /// A command in the library's own configuration; nil if there is none.
  private func storedCommand(_ key: SettingKey) -> String? {
    let path = "\(paths.configuration)/\(key.rawValue)"
    guard let data = try? SettingsFile.data(at: path) else {
      return FileManager.default.fileExists(atPath: path) ? "" : nil
    }
    return String(decoding: data, as: UTF8.self).trimmingWhiteSpace
  }

  private func warn(_ message: SafeText) {
    if notice.isFirst("library") { console.message("media: \(message)") }
  }
}

/// The servers that know a network's accounts, once they were asked for.
private final class KnownDirectories: Sendable {
  let value = Mutex<Directories?>(nil)
}

import Foundation
import Login
import Posts
import Storage

extension App {
  /// The settings as the files and the library hold them.
  func settings(in store: Store) throws -> Settings {
    var file = try SettingsFile.read(places.settingsFile)
    if places.isInLibrary {
      warn(ofIgnored: SettingKey.allCases.filter { $0.isCommand && (file[$0] != nil || isLeft($0)) })
      file = file.filter { !$0.key.isCommand }
      let own = try places.commands.map { try SettingsFile.read("\($0)/\(Places.settingsName)") } ?? [:]
      file.merge(own.filter(\.key.isCommand)) { $1 }
    }
    return Settings(file: file, stored: try store.settings(), commands: try commands())
  }

  /// Keeps a setting in the library; a command of the person's own in a file that nobody else may write, in a folder
  /// that is not the library's.
  func set(_ key: SettingKey, to value: String, in store: Store) throws {
    guard key.isCommand else { return try store.set(key.rawValue, to: value) }
    guard let folder = places.commands else { throw PlacesError.noHome }
    let file = Self.commandFile(key, in: folder)
    try file.locked { () throws(AccountsError) in try file.replace(with: Array(value.utf8)) }
  }

  private func commands() throws -> [SettingKey: String] {
    var commands: [SettingKey: String] = [:]
    guard let folder = places.commands else { return commands }
    for key in SettingKey.allCases where key.isCommand {
      commands[key] = try Self.commandFile(key, in: folder).read().map { String(decoding: $0, as: UTF8.self) }
    }
    return commands
  }

  private static func commandFile(_ key: SettingKey, in folder: String) -> ProtectedFile {
    ProtectedFile(folder: folder, name: key.rawValue, content: "your command")
  }

  /// Whether a command was kept in the library's own configuration.
  private func isLeft(_ key: SettingKey) -> Bool {
    FileManager.default.fileExists(atPath: "\(places.configuration)/\(key.rawValue)")
  }

  /// Whoever hands on a library would have their commands run otherwise.
  private func warn(ofIgnored keys: [SettingKey]) {
    guard !keys.isEmpty, settingsNotice.isFirst("commands") else { return }
    let names = Words.list(keys.map(\.rawValue))
    let cure =
      places.commands.map { "\"media settings \(keys[0].rawValue) COMMAND\" keeps one in \($0)" }
      ?? "set HOME or MEDIA_CONFIG"
    let folder = places.configuration
    console.message("media: \(names) in \(folder) runs nothing, since it lies in the library: \(cure)")
  }
}

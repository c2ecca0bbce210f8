import ArgumentParser
import Storage
import Terminal

/// `media settings [KEY [VALUE]]`
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", _superCommandName: Media.name, abstract: "Show or change settings.",
    discussion: """
      Values are kept in the library and override config.toml. The commands of notify, opener and look are kept beside that \
      file instead, because commands in a library are never run.
      """)

  @Argument(help: "The setting's name; all settings by default.", completion: Completing.settings)
  var key: String?

  @Argument(help: "The new value.", completion: Completing.settingValues)
  var value: String?

  @Flag(help: "Forget the value that was set: that of config.toml counts again, or else the default.")
  var reset = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if reset, key == nil || value != nil { throw ValidationError("--reset goes with the name of a setting alone") }
  }

  func run() throws {
    let app = try App(global)
    let changes = value != nil || reset
    if value == nil { try app.library.expectIfNamed() }
    guard let key = try key.map({ try SettingKey.named($0) }) else {
      return try showAll(app.settings, in: app.library, on: app.output)
    }
    let canonical = try value.map { try key.canonical($0) }
    if key == .grace, let grace = canonical.flatMap(Measures.duration) { try app.library.expectGrace(grace) }
    let settings = try app.library.withStore(for: changes ? .command : .reading) { store in
      if changes { try app.settings.set(key, to: canonical, in: store) }
      return try app.settings.read(in: store)
    }
    let languages = key == .textLanguages ? settings.textLanguages : nil
    if let obstacle = languages?.obstacle(app.environment) {
      app.console.warning("media: text in pictures cannot be read: \(obstacle)")
    }
    if changes, global.quiet, !global.json { return }
    let value = settings[key]
    try app.console.result(global.json ? try JSONText.line([key.rawValue: value]) : SafeText(value, keepingLines: true))
  }

  private func showAll(
    _ settings: LibrarySettings, in library: LibraryOpener, on output: StyledConsole
  ) throws {
    let current = try library.withStore(for: .reading) { try settings.read(in: $0) }
    let tables = try settings.tables()
    if global.json {
      let all = SettingKey.allCases.map { ($0.rawValue, current[$0]) } + tables.map { ($0.name, $0.shown) }
      return try output.console.result(try JSONText.line(Dictionary(uniqueKeysWithValues: all)))
    }
    let rows =
      SettingKey.allCases.map { [$0.rawValue, current[$0], $0.help] }
      + tables.map { [$0.name, $0.shown, $0.help] }
    try output.print(Table([.init("SETTING"), .init("VALUE"), .init("WHAT IT DECIDES", minimum: 10)], rows: rows))
  }
}

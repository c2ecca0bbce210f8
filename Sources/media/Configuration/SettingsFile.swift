import Filters
import FoundationEssentials
import Posts
import Storage

/// The settings file: the part of TOML with comments and one setting a line (`refresh = "60s"`, `avatars = false`), without
/// arrays and with two kinds of table, `[libraries]` and `[hosts."example.org"]`. <https://toml.io/en/v1.0.0>
enum SettingsFile {
  /// The maximum size of a file in bytes. A file of every setting has less than one thousand.
  static let longest = 256 << 10

  /// The values that a file sets.
  struct Content: Equatable {
    var settings: [SettingKey: String] = [:]
    /// What the names of libraries stand for: addresses, and whole paths of folders.
    var libraries: [String: String] = [:]
    /// What is set for hosts, by their names in ASCII.
    var hosts: [String: HostSettings] = [:]
    /// What a library's file contains that is not a setting of a library: names, and tables in their brackets.
    var ignored: [String] = []
    /// What the values of the next lines are of; nil before the first table.
    fileprivate var table: Table?
    fileprivate var hasLibraries = false
  }

  /// Parses the settings in a file's bytes. Throws the first mistake.
  ///
  /// - Parameter path: The file's path, for error messages.
  static func settings(in data: Data, path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    try content(of: data, path: path, isLibrarys: false).settings
  }

  /// The same for a file that may have come with a library.
  static func content(of data: Data, path: String, isLibrarys: Bool) throws(ConfigurationFileError) -> Content {
    var content = Content()
    for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      do throws(SettingError) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
          throw .malformed("it is not text in UTF-8", cure: nil)
        }
        let line = index == 0 && text.hasPrefix(byteOrderMark) ? text.dropFirst() : text[...]
        if isLibrarys, try passOver(line, into: &content) { continue }
        var rest = SettingsLine(line)
        if let entry = try rest.entry() { try content.add(entry) }
      } catch {
        throw ConfigurationFileError(path: path, line: index + 1, reason: error.summary, cure: error.cure)
      }
    }
    return content
  }

  /// What the values of the next lines are of.
  fileprivate enum Table: Equatable {
    case libraries
    case host(String)
  }

  static func twice(_ name: String) -> SettingError {
    .malformed("\(name) stands here a second time", cure: "keep one of them")
  }

  /// Records a line of a library's file that begins a table, or sets what is not a setting.
  private static func passOver(_ line: Substring, into content: inout Content) throws(SettingError) -> Bool {
    // Whatever follows a table's name belongs to a table.
    if content.ignored.last?.hasPrefix("[") == true { return true }
    var start = SettingsLine(line)
    guard let name = try start.name() else { return false }
    if !name.hasPrefix("["), (try? SettingKey.named(name)) != nil { return false }
    content.ignored.append(name)
    return true
  }

  private static let byteOrderMark = "\u{FEFF}"
}

extension SettingsFile.Content {
  fileprivate mutating func add(_ entry: SettingsLine.Entry) throws(SettingError) {
    switch entry {
    case .libraries:
      guard !hasLibraries else { throw SettingsFile.twice("[libraries]") }
      (table, hasLibraries) = (.libraries, true)
    case .host(let name): table = .host(try addHost(name))
    case .value(let name, let value): try add(name, value)
    }
  }

  private mutating func add(_ name: String, _ value: String) throws(SettingError) {
    switch table {
    case nil: try addSetting(name, value)
    case .libraries: try addLibrary(name, value)
    case .host(let host): try hosts[host, default: HostSettings()].set(name, to: value, of: host)
    }
  }

  /// Adds a host.
  ///
  /// - Returns: Its name in ASCII, with its port if it has one.
  fileprivate mutating func addHost(_ name: String) throws(SettingError) -> String {
    guard let host = HostSettings.key(of: name) else {
      throw .malformed("\"\(Spelling.printable(name))\" is not a host", cure: "write [hosts.\"example.org\"]")
    }
    guard hosts[host] == nil else { throw SettingsFile.twice("[hosts.\"\(host)\"]") }
    hosts[host] = HostSettings()
    return host
  }

  fileprivate mutating func addSetting(_ name: String, _ value: String) throws(SettingError) {
    let key = try SettingKey.named(name)
    guard settings[key] == nil else { throw SettingsFile.twice(key.rawValue) }
    settings[key] = try key.canonical(value)
  }

  /// The value is in no message: it may hold a password.
  fileprivate mutating func addLibrary(_ name: String, _ value: String) throws(SettingError) {
    let isWord = { (scalar: Unicode.Scalar) in
      scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar)
    }
    guard !name.isEmpty, !name.hasPrefix("-"), name.unicodeScalars.allSatisfy(isWord) else {
      throw .malformed(
        "\"\(Spelling.printable(name))\" cannot be the name of a library", cure: "use letters, digits, - and _")
    }
    guard libraries[name] == nil else { throw SettingsFile.twice(name) }
    let isPath = value.hasPrefix("/") || value == "~" || value.hasPrefix("~/")
    guard isPath || LibraryAddress.isMeant(by: value),
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw .malformed(
        "the library \(name) is neither an address nor the whole path of a folder",
        cure: "write \(name) = \"postgresql://…\", or a path that begins with / or ~/")
    }
    libraries[name] = value
  }
}

/// The settings file cannot be read: where, and why.
struct ConfigurationFileError: ExplainedError, Equatable {
  /// The file.
  let path: String
  /// The line, from 1; nil for the whole file.
  let line: Int?
  /// The reason.
  let reason: String
  /// What to write instead.
  let cure: String?

  var summary: String { line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)" }
  var exitCode: ExitCode { .configuration }
}

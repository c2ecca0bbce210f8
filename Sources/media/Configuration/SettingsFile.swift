// Reads config.toml; nothing writes it, it is the person's.

import Foundation
import Posts

/// The file of settings: TOML, of which it takes comments and one setting a line (`refresh = "60s"`, `avatars = false`);
/// tables and arrays are no settings. <https://toml.io/en/v1.0.0>
enum SettingsFile {
  /// The most bytes of a file; a file of every setting has less than one thousand.
  static let longest = 256 << 10

  /// What a file sets.
  struct Content: Equatable {
    var settings: [SettingKey: String] = [:]
    /// What stands in a library's file and is no setting of a library: names, and tables in their brackets.
    var ignored: [String] = []
  }

  /// Reads the settings in a file; none where there is no file. Anything in it that is no setting is an error, so that
  /// a mistyped name is noticed.
  static func read(_ path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    guard let data = try data(at: path) else { return [:] }
    return try settings(in: data, path: path)
  }

  /// Reads the settings in a file that came with a library. What this version does not know there is passed over: another
  /// version may have written it, and a library must not lock its reader out.
  static func read(ofLibrary path: String) throws(ConfigurationFileError) -> Content {
    guard let data = try data(at: path) else { return Content() }
    return try content(of: data, path: path, isLibrarys: true)
  }

  /// Reads the settings in a file's bytes; `path` is for the error's words. The first mistake is the one that is told.
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
        guard let (name, value) = try rest.setting() else { continue }
        let key = try SettingKey.named(name)
        guard content.settings[key] == nil else {
          throw .malformed("\(key.rawValue) stands here a second time", cure: "keep one of them")
        }
        content.settings[key] = try key.canonical(value)
      } catch {
        throw ConfigurationFileError(path: path, line: index + 1, reason: error.summary, cure: error.cure)
      }
    }
    return content
  }

  /// Notes a line of a library's file that begins a table, or sets what is no setting.
  private static func passOver(_ line: Substring, into content: inout Content) throws(SettingError) -> Bool {
    // Whatever follows a table's name belongs to a table.
    if content.ignored.last?.hasPrefix("[") == true { return true }
    var start = SettingsLine(line)
    guard let name = try start.name() else { return false }
    if !name.hasPrefix("["), (try? SettingKey.named(name)) != nil { return false }
    content.ignored.append(name)
    return true
  }

  /// A file's bytes; nil where there is no file. What is no regular file may never end, or block whoever opens it.
  static func data(at path: String) throws(ConfigurationFileError) -> Data? {
    func failed(_ reason: String) -> ConfigurationFileError {
      ConfigurationFileError(path: path, line: nil, reason: reason, cure: nil)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failed("the file cannot be read")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw failed("it is no regular file") }
    guard let data = try? handle.read(upToCount: longest + 1) ?? Data() else { throw failed("the file cannot be read") }
    guard data.count <= longest else { throw failed("it is longer than \(longest) bytes") }
    return data
  }

  private static let byteOrderMark = "\u{FEFF}"
}

/// That the file of settings cannot be read: where, and why.
struct ConfigurationFileError: ExplainedError, Equatable {
  /// The file.
  let path: String
  /// The line, from 1; nil where it is the whole file.
  let line: Int?
  /// Why.
  let reason: String
  /// What to write instead.
  let cure: String?

  var summary: String { line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)" }
  var exitCode: ExitCode { .configuration }
}

// Reads config.toml; nothing writes it, it is the person's.

import Foundation
import Posts
import TOMLKit

/// The file of settings: TOML, one setting a line (`refresh = "60s"`, `avatars = false`).
enum SettingsFile {
  /// Reads the settings in a file; none where there is no file. Anything in it that is no setting is an error, so that
  /// a mistyped name is noticed.
  static func read(_ path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch CocoaError.fileReadNoSuchFile {
      return [:]
    } catch {
      throw ConfigurationFileError(path: path, line: nil, reason: "the file cannot be read", cure: nil)
    }
    return try settings(in: data, path: path)
  }

  /// Reads the settings in a file's bytes; `path` is for the error's words.
  static func settings(in data: Data, path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    let text = try text(of: data, path: path)
    var settings: [SettingKey: String] = [:]
    // In the order of the lines: the first mistake is the one that is told.
    let named = try table(text, path: path).map { (name: $0, value: $1, line: line(of: $0, in: text)) }
    for (name, value, line) in named.sorted(by: { $0.line < $1.line }) {
      do throws(SettingError) {
        let key = try SettingKey.named(name)
        settings[key] = try key.canonical(words(value))
      } catch {
        throw ConfigurationFileError(path: path, line: line, reason: error.summary, cure: error.cure)
      }
    }
    return settings
  }

  private static func text(of data: Data, path: String) throws(ConfigurationFileError) -> String {
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if let bad = lines.firstIndex(where: { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }) {
      throw ConfigurationFileError(path: path, line: bad + 1, reason: "it is not text in UTF-8", cure: nil)
    }
    // The parser ends the program where a table's name begins with what no name has.
    if let bad = lines.firstIndex(where: beginsNamelessTable) {
      throw ConfigurationFileError(
        path: path, line: bad + 1, reason: "a table without a name begins", cure: "settings stand in no table")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func beginsNamelessTable(_ line: Data) -> Bool {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    // A file's byte order mark and the spaces of other scripts are passed over, too.
    var rest = line.drop { $0 <= UInt8(ascii: " ") || $0 >= 0x80 }
    guard rest.first == UInt8(ascii: "[") else { return false }
    rest = rest.dropFirst().drop(while: isBlank)
    if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: isBlank) }
    guard let first = rest.first.map({ Character(Unicode.Scalar($0)) }), first.isASCII else { return true }
    return !(first.isLetter || first.isNumber || "-_\"'".contains(first))
  }

  private static func table(_ text: String, path: String) throws(ConfigurationFileError) -> TOMLTable {
    do {
      return try TOMLTable(string: text)
    } catch {
      let fault = error as? TOMLParseError
      throw ConfigurationFileError(
        path: path,
        line: fault?.source.begin.line,
        reason: Spelling.printable(fault?.description ?? "it is not TOML", limit: 160),
        cure: "a setting is written as refresh = \"60s\""
      )
    }
  }

  /// A value as a person would write it behind the setting's name.
  private static func words(_ value: any TOMLValueConvertible) -> String {
    value.bool.map { $0 ? "on" : "off" } ?? value.string ?? value.int.map { String($0) }
      ?? value.double.map { String($0) } ?? (value.array == nil ? "{…}" : "[…]")
  }

  /// The line on which a name first stands as a key or a table: the parser does not say where values lie.
  private static func line(of name: String, in text: String) -> Int {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let found = lines.firstIndex { line in
      let start = line.drop { " \t[\"'".contains($0) }
      return start.hasPrefix(name) && !(start.dropFirst(name.count).first.map { $0.isLetter || $0.isNumber } ?? false)
    }
    return (found ?? 0) + 1
  }
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

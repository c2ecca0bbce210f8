// Reads config.toml; nothing writes it, it is the person's.

import Foundation
import Posts

/// The file of settings: TOML, of which it takes comments and one setting a line (`refresh = "60s"`, `avatars = false`);
/// tables and arrays are no settings. <https://toml.io/en/v1.0.0>
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

  /// Reads the settings in a file's bytes; `path` is for the error's words. The first mistake is the one that is told.
  static func settings(in data: Data, path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    var settings: [SettingKey: String] = [:]
    for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      do throws(SettingError) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
          throw .malformed("it is not text in UTF-8", cure: nil)
        }
        var line = SettingsLine(index == 0 && text.hasPrefix(byteOrderMark) ? text.dropFirst() : text[...])
        guard let (name, value) = try line.setting() else { continue }
        let key = try SettingKey.named(name)
        guard settings[key] == nil else {
          throw .malformed("\(key.rawValue) stands here a second time", cure: "keep one of them")
        }
        settings[key] = try key.canonical(value)
      } catch {
        throw ConfigurationFileError(path: path, line: index + 1, reason: error.summary, cure: error.cure)
      }
    }
    return settings
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

// Reads config.toml. Nothing writes it: it is the user's.

import FoundationEssentials
import Glibc
import Machine

extension SettingsFile {
  /// Reads the settings in a file; none if there is no file. Throws for anything that is not a setting, so that a mistyped
  /// name is noticed.
  static func read(_ path: String) throws(ConfigurationFileError) -> [SettingKey: String] {
    guard let data = try data(at: path) else { return [:] }
    return try settings(in: data, path: path)
  }

  /// Reads the names of libraries in a file; none if there is no file.
  static func libraries(_ path: String) throws(ConfigurationFileError) -> [String: String] {
    guard let data = try data(at: path) else { return [:] }
    return try content(of: data, path: path, isLibrarys: false).libraries
  }

  /// Reads what is set for hosts in a file; nothing if there is no file.
  static func hosts(_ path: String) throws(ConfigurationFileError) -> [String: HostSettings] {
    guard let data = try data(at: path) else { return [:] }
    return try content(of: data, path: path, isLibrarys: false).hosts
  }

  /// Reads the settings in a file that came with a library. Ignores what this version does not know: another version may
  /// have written it, and a library must not lock its reader out.
  static func read(ofLibrary path: String) throws(ConfigurationFileError) -> Content {
    guard let data = try data(at: path) else { return Content() }
    return try content(of: data, path: path, isLibrarys: true)
  }

  /// A file's bytes; nil if there is no file. Throws for anything but a regular file, which may never end or block the
  /// reader.
  static func data(at path: String, most longest: Int = longest) throws(ConfigurationFileError) -> Data? {
    func failed(_ reason: String) -> ConfigurationFileError {
      ConfigurationFileError(path: path, line: nil, reason: reason, cure: nil)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failed("the file cannot be read")
    }
    let handle = OpenFile(file)
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw failed("it is not a regular file") }
    guard let bytes = try? handle.readToEnd(most: longest) else { throw failed("the file cannot be read") }
    guard bytes.count <= longest else { throw failed("it is longer than \(longest) bytes") }
    return Data(bytes)
  }
}

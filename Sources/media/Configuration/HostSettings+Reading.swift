import FoundationEssentials
import Glibc
import HTTP
import Posts

extension LibraryPaths {
  /// What the person's own configuration sets for hosts, whatever came with a library.
  ///
  /// - Throws: `ConfigurationFileError` for a mistake in it, and for a file of cookies that is none or that others can
  ///   read.
  func hosts(now: Date) throws -> [String: HostOptions] {
    guard let folder = commands else { return [:] }
    var options: [String: HostOptions] = [:]
    for (host, settings) in try Self.hosts(in: "\(folder)/\(Self.settingsName)") {
      let file = settings.cookies.map { CookieFile(at: $0, in: folder) }
      options[host] = settings.options(try file?.cookies(now: now) ?? [])
    }
    return options
  }

  private static func hosts(in file: String) throws -> [String: HostSettings] {
    do { return try SettingsFile.hosts(file) } catch {
      // A file that may not be opened stops only what needs a setting.
      guard error.line == nil else { throw error }
      return [:]
    }
  }
}

/// A file with the cookies of a person's browser.
private struct CookieFile {
  let path: String

  /// Browsers' extensions write the cookies of all sites into one file.
  private static let longest = 8 << 20

  init(at path: String, in folder: String) {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    self.path =
      path.hasPrefix("~/") ? "\(home)\(path.dropFirst())" : path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  func cookies(now: Date) throws(ConfigurationFileError) -> [Cookie] {
    guard let data = try SettingsFile.data(at: path, most: Self.longest) else {
      throw fault("there is no such file of cookies", cure: "correct cookies in config.toml")
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & 0o077 == 0 else {
      throw fault("others can read these cookies", cure: "run \"chmod 600 \(path)\"")
    }
    guard let cookies = Cookie.netscape(String(decoding: data, as: UTF8.self), now: now) else {
      throw fault("it holds no cookies in Netscape's form", cure: "export them from a browser as cookies.txt")
    }
    return cookies
  }

  private func fault(_ reason: String, cure: String) -> ConfigurationFileError {
    ConfigurationFileError(path: path, line: nil, reason: reason, cure: cure)
  }
}

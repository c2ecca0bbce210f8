import FoundationEssentials
import Glibc
import HTTP

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

  /// The cookies that are set for a host, as a file in Netscape's form that holds no others; nil if none are set.
  func cookieFile(of host: String) throws -> String? {
    guard let folder = commands else { return nil }
    let settings = try Self.hosts(in: "\(folder)/\(Self.settingsName)")[host]
    return try settings?.cookies.map { try CookieFile(at: $0, in: folder).text(of: host) }
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

  /// The lines of a host, and of the sites that it belongs to.
  func text(of host: String) throws(ConfigurationFileError) -> String {
    let name = host.prefix { $0 != ":" }
    let lines = try text().split(whereSeparator: \.isNewline).filter { line in
      let site = line.prefix { $0 != "\t" }.replacing("#HttpOnly_", with: "").drop { $0 == "." }
      return !site.isEmpty && (name == site || name.hasSuffix(".\(site)"))
    }
    return (["# Netscape HTTP Cookie File"] + lines).map { "\($0)\n" }.joined()
  }

  func cookies(now: Date) throws(ConfigurationFileError) -> [Cookie] {
    guard let cookies = Cookie.netscape(try text(), now: now) else {
      throw fault("it holds no cookies in Netscape's form", cure: "export them from a browser as cookies.txt")
    }
    return cookies
  }

  private func text() throws(ConfigurationFileError) -> String {
    guard let data = try SettingsFile.data(at: path, most: Self.longest) else {
      throw fault("there is no such file of cookies", cure: "correct cookies in config.toml")
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & 0o077 == 0 else {
      throw fault("others can read these cookies", cure: "run \"chmod 600 \(path)\"")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func fault(_ reason: String, cure: String) -> ConfigurationFileError {
    ConfigurationFileError(path: path, line: nil, reason: reason, cure: cure)
  }
}

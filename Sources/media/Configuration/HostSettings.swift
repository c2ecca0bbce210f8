// What a person sets for single hosts: [hosts."example.org"] in config.toml.

import Filters
import HTTP
import Posts
import Wording

/// The settings of one host, as they were written.
struct HostSettings: Equatable, Sendable {
  private enum Key: String, CaseIterable {
    case agent = "user-agent"
    case referer, cookies, delay
  }

  private var values: [Key: String] = [:]

  /// The file of the host's cookies.
  var cookies: String? { values[.cookies] }

  /// The settings as users see them, by their names.
  var shown: [(name: String, value: String)] {
    values.map { (name: $0.key.rawValue, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// What the requests to the host carry, with these cookies.
  func options(_ cookies: [Cookie]) -> HostOptions {
    HostOptions(
      agent: values[.agent], referer: values[.referer], cookies: cookies,
      delay: values[.delay].flatMap(Measures.duration))
  }

  /// The name of a host in ASCII, with its port if it has one; nil if it is no host.
  static func key(of text: String) -> String? {
    guard !text.contains("/"), !text.contains("@"), let server = Server(text) else { return nil }
    let parts = server.host.split(separator: ":", maxSplits: 1)
    guard let name = parts.first.flatMap({ HostName.ascii(String($0)) }) else { return nil }
    return ([name] + parts.dropFirst().map(String.init)).joined(separator: ":")
  }

  /// Sets a value. No message repeats it: it may hold a secret.
  mutating func set(_ name: String, to value: String, of host: String) throws(SettingError) {
    guard let key = Key(rawValue: name.lowercased()) else { throw Self.unknown(name, host) }
    guard values[key] == nil else { throw SettingsFile.twice(key.rawValue) }
    guard key == .cookies || !Self.holdsToken(value) else { throw Self.token(host) }
    guard Self.isValid(value, key) else {
      throw .malformed("\(key.rawValue) of \(host) cannot be used", cure: Self.example(key))
    }
    values[key] = value
  }

  private static func isValid(_ value: String, _ key: Key) -> Bool {
    let isLine = !value.isEmpty && value.utf8.count <= 1024 && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    switch key {
    case .agent: return isLine && value.utf8.allSatisfy { $0 < 0x80 }
    case .referer: return isLine && value.contains("://") && Server(value) != nil
    case .cookies: return isLine
    case .delay: return Measures.duration(value).map { (Duration.zero ... .seconds(3600)).contains($0) } ?? false
    }
  }

  private static func example(_ key: Key) -> String {
    switch key {
    case .agent: "write user-agent = \"Mozilla/5.0 …\", in ASCII"
    case .referer: "write referer = \"https://example.org/\""
    case .cookies: "write cookies = \"/FOLDER/cookies.txt\""
    case .delay: "write delay = \"2s\", an hour at most"
    }
  }

  private static func unknown(_ name: String, _ host: String) -> SettingError {
    let lower = name.lowercased()
    if ["token", "authorization", "password", "secret", "key", "login"].contains(where: { lower.contains($0) }) {
      return token(host)
    }
    let known = Key.allCases.map(\.rawValue)
    let nearest = lower == "cookie" ? "cookies" : Spelling.nearest(to: lower, among: known)
    return .malformed(
      "\"\(Spelling.printable(name))\" is not a setting of a host",
      cure: nearest.map { "did you mean \($0)?" } ?? "there are \(NumberText.list(known))")
  }

  private static func token(_ host: String) -> SettingError {
    .malformed(
      "what is set for \(host) holds a token, and tokens stand in accounts.json alone",
      cure: "remove it, and run \"media login \(host)\"")
  }

  /// Whether a text holds a token, by the words beside it or by its form.
  private static func holdsToken(_ text: String) -> Bool {
    let lower = text.lowercased()
    if ["bearer ", "basic ", "token=", "key=", "password=", "authorization"].contains(where: { lower.contains($0) }) {
      return true
    }
    let words = text.utf8.split { byte in !Character(Unicode.Scalar(byte)).isLetter && !digits.contains(byte) }
    return words.contains { word in
      word.count >= 24 && word.contains { digits.contains($0) } && !word.allSatisfy { digits.contains($0) }
    }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}

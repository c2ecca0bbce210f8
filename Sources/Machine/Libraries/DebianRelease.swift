/// The release of Debian on which a program runs.
package enum DebianRelease {
  /// Its number, such as `13`; nil on another system, and on one that has no number yet.
  package static let running = ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap(smallFile).first
    .flatMap { number(in: String(decoding: $0, as: UTF8.self)) }

  /// The number that the text of an os-release(5) tells.
  static func number(in text: String) -> String? {
    let lines = text.split(separator: "\n")
    func value(_ key: String) -> String? {
      lines.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1).filter { $0 != "\"" }) }
    }
    return value("ID") == "debian" ? value("VERSION_ID") : nil
  }
}

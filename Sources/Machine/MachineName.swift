import FoundationEssentials
import Glibc

/// A name for this machine that stays the same, and from which nobody learns which machine it is.
package enum MachineName {
  /// 16 hexadecimal digits, made of the machine's id, or of its host name where it has none.
  ///
  /// The id itself is not to be told to others. https://www.freedesktop.org/software/systemd/man/latest/machine-id.html
  package static let current = name(of: identity ?? hostName ?? "")

  static func name(of identity: String) -> String {
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    let hash = "media \(identity)".utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static var identity: String? {
    let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    return text.flatMap { $0.utf8.count >= 32 ? String($0.prefix(32)) : nil }
  }

  /// What its network calls it; nil if that is unknown.
  package static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Reads parts of an untrusted address. It works on bytes, because it runs for every post of every page.
package enum WebAddress {
  /// Host and port of `https://host/…` or `tag:host,2026:…` (RFC 4151), in lower case; nil if there is none.
  package static func host(of address: String) -> String? {
    var address = address
    return address.withUTF8 { bytes in
      let host: Slice<UnsafeBufferPointer<UInt8>>
      if bytes.starts(with: "tag:".utf8) {
        host = bytes.dropFirst(4).prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ":") }
      } else {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[mark...].starts(with: "://".utf8) else {
          return nil
        }
        let authority = bytes[(mark + 3)...].prefix {
          $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
      }
      if host.isEmpty { return nil }
      let text = String(decoding: host, as: UTF8.self)
      return host.contains { (65...90).contains($0) || $0 > 127 } ? text.lowercased() : text
    }
  }

  /// Parameters of signed links, in lower case: they change while the file stays the same. Amazon's begin with `X-Amz-`,
  /// Google's with `X-Goog-`; `oh`, `oe` and the like are Meta's.
  private static let signing: Set<String> = [
    "signature", "sig", "se", "sp", "sv", "st", "token", "expires", "expiry", "policy", "key-pair-id",
    "awsaccesskeyid", "googleaccessid", "hash", "hmac", "auth", "oh", "oe", "_nc_sid", "_nc_ohc", "_nc_ht", "_nc_gid",
  ]

  /// The address without its fragment and its signature. It stays the same when a link is signed again.
  package static func unsigned(_ address: String) -> String {
    let whole = address.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = whole.firstIndex(of: UInt8(ascii: "?")) else { return String(Substring(whole)) }
    let kept = whole[whole.index(after: mark)...].split(separator: UInt8(ascii: "&")).filter { pair in
      let name = String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).lowercased()
      return !signing.contains(name) && !name.hasPrefix("x-amz-") && !name.hasPrefix("x-goog-")
    }
    let path = String(Substring(whole[..<mark]))
    return kept.isEmpty ? path : "\(path)?\(kept.map { String(Substring($0)) }.joined(separator: "&"))"
  }

  /// The address without its query and fragment, and its last part without what scripts are called: a script's query
  /// says which file it sends, so the name is nil.
  package static func path(_ address: String) -> (bare: String, name: String?) {
    let key = WebIdentity.key(of: address)
    let bare = key.prefix { $0 != "?" && $0 != "#" }
    let name = bare.split(separator: "/").dropFirst().last.map { $0.lowercased() } ?? ""
    let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) }
    return (String(bare), ending.map(scripts.contains) == false ? name : nil)
  }

  private static let scripts: Set<String> = ["", "php", "asp", "aspx", "ashx", "cgi", "pl", "jsp", "do"]

  /// Names of parameters that hold keys, and what others end in, in lower case without what separates their words.
  private static let keys: Set<String> = [
    "appsecretproof", "auth", "bearer", "clientid", "code", "credentials", "hmac", "jwt", "pass", "passwd", "pwd",
    "sig",
  ]
  private static let keyEndings = ["credential", "key", "password", "secret", "signature", "token"]

  /// Whether a parameter of this name holds what lets somebody in.
  package static func isKey(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    let bare = name.filter { $0 != "_" && $0 != "-" }
    return keys.contains(bare) || keyEndings.contains(where: bare.hasSuffix) || name.hasPrefix("oauth_")
      || name.hasPrefix("x-amz-")
  }

  /// Whether two links lead to the same file: their addresses differ at most in the signature.
  package static func sameFile(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one == other || unsigned(one) == unsigned(other)
  }
}

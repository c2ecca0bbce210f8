import FoundationEssentials

/// A cookie and where it is sent (RFC 6265).
public struct Cookie: Sendable, Equatable {
  let name: String
  let value: Secret
  /// The host, in lower case.
  let domain: String
  let coversSubdomains: Bool
  let path: String
  let isSecureOnly: Bool

  /// Whether the cookie is sent to a URL (RFC 6265, 5.1.3 and 5.1.4).
  func matches(_ target: Target) -> Bool {
    guard target.isSecure || !isSecureOnly else { return false }
    guard target.host == domain || (coversSubdomains && target.host.hasSuffix(".\(domain)")) else { return false }
    return target.path == path
      || (target.path.hasPrefix(path) && (path.hasSuffix("/") || target.path.dropFirst(path.count).first == "/"))
  }

  /// What of a URL decides about cookies.
  struct Target {
    let isSecure: Bool
    let host: String
    let path: String

    /// Nil for anything but an absolute URL.
    init?(_ url: String) {
      guard let scheme = url.firstRange(of: "://") else { return nil }
      let rest = url[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
      let authority = rest.prefix { $0 != "/" }
      let named = authority.split(separator: "@").last ?? authority
      let host = named.hasPrefix("[") ? named.prefix { $0 != "]" } : named.prefix { $0 != ":" }
      isSecure = url[..<scheme.lowerBound].lowercased() == "https"
      self.host = host.lowercased()
      path = rest.count > authority.count ? String(rest.dropFirst(authority.count)) : "/"
    }

    /// The path of cookies that name none (RFC 6265, 5.1.4).
    var folder: String {
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }
  }
}

extension Cookie {
  /// The cookies of a file in Netscape's form, which browsers' extensions and other programs write
  /// (https://curl.se/docs/http-cookies.html): seven fields a line, with tabs between them. Expired ones are left out.
  ///
  /// - Returns: Nil if no line has this form.
  public static func netscape(_ text: String, now: Date) -> [Cookie]? {
    let lines = text.split(whereSeparator: \.isNewline).compactMap { line -> [Substring]? in
      let line = line.hasPrefix(onlyForHTTP) ? line.dropFirst(onlyForHTTP.count) : line
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return line.hasPrefix("#") || fields.count != 7 ? nil : fields
    }
    guard !lines.isEmpty else { return nil }
    return lines.compactMap { fields in
      let expiry = Double(fields[4]) ?? 0
      guard expiry == 0 || expiry > now.timeIntervalSince1970, isToken(fields[5]), isValue(fields[6]) else {
        return nil
      }
      return Cookie(
        name: String(fields[5]), value: Secret(String(fields[6])),
        domain: fields[0].drop { $0 == "." }.lowercased(), coversSubdomains: fields[1].uppercased() == "TRUE",
        path: fields[2].isEmpty ? "/" : String(fields[2]), isSecureOnly: fields[3].uppercased() == "TRUE")
    }
  }

  private static let onlyForHTTP = "#HttpOnly_"

  /// A cookie from a `Set-Cookie` field (RFC 6265, 5.2), and whether it is to be kept; nil if it is none.
  static func read(_ field: String, from target: Target, now: Date?) -> (cookie: Cookie, isKept: Bool)? {
    guard field.utf8.count <= longest else { return nil }
    var parts = field.split(separator: ";").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    guard let pair = parts.first, pair.count == 2 else { return nil }
    parts.removeFirst()
    let attributes = Dictionary(
      parts.map { (trimmed($0[0]).lowercased(), $0.count > 1 ? trimmed($0[1]) : "") }, uniquingKeysWith: { $1 })
    let (name, value) = (trimmed(pair[0]), trimmed(pair[1]))
    let named = (attributes["domain"] ?? "").lowercased().drop { $0 == "." }
    guard isToken(name), isValue(value),
      named.isEmpty || named == target.host || (target.host.hasSuffix(".\(named)") && named.contains("."))
    else { return nil }
    let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? target.folder
    let cookie = Cookie(
      name: name, value: Secret(value), domain: named.isEmpty ? target.host : String(named),
      coversSubdomains: !named.isEmpty, path: path, isSecureOnly: attributes["secure"] != nil)
    return (cookie, isKept(attributes, now))
  }

  /// A server deletes a cookie by letting it expire.
  private static func isKept(_ attributes: [String: String], _ now: Date?) -> Bool {
    if let age = attributes["max-age"].flatMap({ Int($0) }) { return age > 0 }
    guard let end = attributes["expires"].flatMap(HTTPDate.read) else { return true }
    return end > now ?? Date(timeIntervalSince1970: 86_400)
  }

  private static let longest = 4096

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func isToken(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"=;,".utf8.contains($0) }
  }

  private static func isValue(_ value: some StringProtocol) -> Bool {
    value.utf8.count <= longest && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
  }
}

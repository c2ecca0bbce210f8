import FoundationEssentials

/// The origin of a server: scheme, host and port.
///
/// People type a host (`mastodon.social`), or a URL if it is not https (`http://127.0.0.1:8080`).
public struct Server: Hashable, Sendable, Codable, CustomStringConvertible {
  /// `https://mastodon.social`: lower case, no path, no default port, no trailing slash.
  public let origin: String

  /// Reads a host, `host:port` or an http(s) URL. Returns nil for anything else, including a URL with a user or password.
  public init?(_ text: String) {
    let trimmed = text.trimmingWhiteSpace
    let address = trimmed.contains("://") ? trimmed : "https://\(trimmed)"
    guard let parts = URLComponents(webAddress: address), let scheme = parts.scheme?.lowercased(),
      scheme == "https" || scheme == "http", let host = parts.hostName?.lowercased(), !host.isEmpty,
      parts.user == nil, parts.password == nil,
      trimmed.contains("://") || (parts.path.isEmpty && parts.query == nil && parts.fragment == nil)
    else { return nil }
    let allowed = host.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._:[]".unicodeScalars.contains($0)
    }
    guard allowed else { return nil }
    let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
    origin = "\(scheme)://\(host)\(port)"
  }

  /// The host as people write it: `mastodon.social`; the whole origin if it is not https.
  public var name: String { isSecure ? String(origin.dropFirst("https://".count)) : origin }

  /// Host and port, without the scheme.
  public var host: String { String(origin.dropFirst(isSecure ? "https://".count : "http://".count)) }

  /// Whether the server uses https.
  public var isSecure: Bool { origin.hasPrefix("https://") }

  /// Whether an absolute URL has this origin.
  public func owns(_ url: String) -> Bool {
    guard let parts = URLComponents(webAddress: url), parts.scheme != nil, parts.host != nil else { return false }
    return Server(url)?.origin == origin
  }

  /// `name`.
  public var description: String { name }

  /// Decodes the origin.
  ///
  /// - Throws: A `DecodingError` if the text is not an origin.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let server = Server(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a server")
    }
    self = server
  }

  /// Encodes the origin.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(origin)
  }
}

import FoundationEssentials
import Posts

/// The address of a service.
public struct S3Endpoint: Sendable, Hashable {
  /// `https` or `http`.
  public let scheme: String
  /// Host and port, as they are sent. The port is absent if it is the scheme's own.
  public let authority: String
  /// What all paths begin with, without a slash at its end.
  public let path: String

  /// Reads an http or https address without user, password, query and fragment.
  public init?(_ text: String) {
    guard let parts = URLComponents(webAddress: text), let scheme = parts.scheme?.lowercased(),
      scheme == "https" || scheme == "http", let host = parts.hostName, !host.isEmpty,
      host.utf8.allSatisfy({ $0 < 128 }),
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
    else { return nil }
    let isOwn = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    self.init(scheme: scheme, authority: isOwn ? name : "\(name):\(parts.port!)", path: parts.percentEncodedPath)
  }

  init(scheme: String, authority: String, path: String) {
    (self.scheme, self.authority) = (scheme, authority)
    self.path = String(path.reversed().drop { $0 == "/" }.reversed())
  }

  /// Amazon's own.
  static func amazon(_ region: String) -> S3Endpoint {
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return S3Endpoint(scheme: "https", authority: "s3.\(region).\(domain)", path: "")
  }
}

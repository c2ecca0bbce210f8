import HTTPTypes
import Hummingbird
import Posts

/// Who sent a request, and under which name the gallery was asked.
///
/// Behind a proxy the proxy's fields say it. Without one, anybody could send them, so they count for nothing.
struct Caller: Sendable {
  /// The host that the browser named; nil if it named none or several.
  let authority: String?
  /// The scheme that the proxy was asked by; nil if no proxy says it.
  let scheme: String?
  /// The address of the browser.
  let address: String

  init(_ request: Request, _ context: GalleryContext, isBehindProxy: Bool) {
    // The codec takes the first Host field for itself; a second one stays.
    let own = request.headers[.furtherHost] == nil ? request.head.authority : nil
    let there = context.there.address ?? ""
    guard isBehindProxy else {
      (authority, scheme, address) = (own, nil, there)
      return
    }
    // A proxy adds its own at the end of what it was sent.
    func last(_ name: HTTPField.Name) -> String? {
      request.headers[name]?.split(separator: ",").last.map { String($0).trimmingWhiteSpace }
    }
    authority = last(.forwardedHost) ?? own
    scheme = last(.forwardedScheme)?.lowercased()
    address = last(.forwardedFor) ?? there
  }
}

extension HTTPField.Name {
  static let furtherHost = Self("Host")!
  static let forwardedHost = Self("X-Forwarded-Host")!
  static let forwardedScheme = Self("X-Forwarded-Proto")!
  static let forwardedFor = Self("X-Forwarded-For")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
  static let media = Self("X-Media")!
}

import FoundationEssentials

/// The cookies of one chain of redirects: some servers lead round in circles unless a hop brings the cookie of the one
/// before. They end with the chain.
public struct CookieJar: Sendable {
  private var cookies: [Cookie] = []

  private static let most = 50

  /// An empty jar.
  public init() {}

  /// Keeps what an answer of a URL sets, and drops what it deletes.
  public mutating func note(_ headers: Headers, from url: String) {
    guard let target = Cookie.Target(url) else { return }
    let now = headers["Date"].flatMap(HTTPDate.read)
    for field in headers.all("Set-Cookie") {
      guard let (cookie, isKept) = Cookie.read(field, from: target, now: now) else { continue }
      cookies.removeAll { ($0.name, $0.domain, $0.path) == (cookie.name, cookie.domain, cookie.path) }
      if isKept, cookies.count < Self.most { cookies.append(cookie) }
    }
  }

  /// The Cookie field of a request to a URL; nil if it has none.
  ///
  /// - Parameter others: Cookies beside those of the jar.
  public func field(for url: String, beside others: [Cookie] = []) -> String? {
    guard !(cookies.isEmpty && others.isEmpty), let target = Cookie.Target(url) else { return nil }
    // What the server said last goes before what a file said once.
    let names = Set(cookies.map(\.name))
    let sent = (cookies + others.filter { !names.contains($0.name) }).filter { $0.matches(target) }
    let pairs = sent.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value.reveal())" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }
}

/// Which servers lie in a private network, by the addresses of actual connections. Belongs to the driver thread.
///
/// A URL that a server names may lead into a private network only if the server lies in one itself. Otherwise a
/// stranger's post could make this machine send requests to its router, its printer or a cloud's metadata service.
final class PrivateNetworkGuard {
  private var found: [String: Bool] = [:]
  private var referrers: [String: Address] = [:]

  /// The address of a server that names URLs; there are few.
  func referrer(_ url: String, _ curl: Curl) -> Address? {
    if let known = referrers[url] { return known }
    referrers[url] = Address(url, curl)
    return referrers[url]
  }

  /// Records where a server was found. A server that was public once stays public, since the owner of a name can point
  /// it at another address.
  func note(_ host: String, isPrivate: Bool) { found[host] = isPrivate && found[host] ?? true }

  /// Whether a URL that `referrer` names may lie in a private network. If the referrer has not been connected to yet,
  /// its name decides. It may name its own origin: with https, the certificate identifies it at any address.
  func mayLeadToPrivateNetwork(_ referrer: Address, to target: Address) -> Bool {
    let isSameOrigin = referrer.origin == target.origin
    if isSameOrigin, target.scheme == "https" { return true }
    return found[referrer.host] ?? (isSameOrigin || PrivateNetwork.holds(referrer.host))
  }
}

extension Transfer {
  /// Decides whether the next hop must not enter private networks, and whether a proxy connects to it. This program
  /// does not see what a proxy connects to, so then no host may bypass the proxy.
  func prepareReach(_ curl: Curl, _ sessionEnvironment: SessionEnvironment) {
    proxy = sessionEnvironment.proxy(for: address?.scheme ?? "")
    isProxied = proxy != nil && sessionEnvironment.unproxied != "*"
    isConfined = false
    guard let text = request.referrer, let target = address else { return }
    let referrer = neighbourhood?.referrer(text, curl)
    isConfined = referrer.map { neighbourhood?.mayLeadToPrivateNetwork($0, to: target) != true } ?? true
  }

  /// The hosts that bypass the proxy.
  func unproxied(_ sessionEnvironment: SessionEnvironment) -> String {
    isConfined && isProxied ? "" : sessionEnvironment.unproxied
  }

  /// Whether the request may be sent to the address of the connection. If not, the transfer has failed.
  func mayReach(_ connected: String) -> Bool {
    guard request.referrer != nil else {
      if !isProxied, sink == nil, visited.isEmpty {
        neighbourhood?.note(host, isPrivate: PrivateNetwork.holds(connected))
      }
      return true
    }
    guard isConfined, PrivateNetwork.holds(isProxied ? host : connected) else { return true }
    failure = .privateNetwork(host: host)
    return false
  }
}

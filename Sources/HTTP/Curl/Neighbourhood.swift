/// Which servers lie in a private network, by the addresses that were really connected to. Belongs to the driver thread.
///
/// A link that a server tells of may lead into such a network only where the server lies in one itself: else a
/// stranger's post could have this machine ask its router, its printer or a cloud's metadata.
final class Neighbourhood {
  private var found: [String: Bool] = [:]
  private var tellers: [String: Address] = [:]

  /// The address of one that tells of others; there are few.
  func teller(_ url: String, _ curl: Curl) -> Address? {
    if let known = tellers[url] { return known }
    tellers[url] = Address(url, curl)
    return tellers[url]
  }

  /// Notes where a server was found; one that was public once stays so, since whoever owns a name may move it.
  func note(_ host: String, isPrivate: Bool) { found[host] = isPrivate && found[host] ?? true }

  /// Whether what `teller` names may lie in a private network. Of a server that was not met yet its name decides. It may
  /// lead to its own door, which a certificate tells from any other, by whichever of its addresses.
  func mayLeadInside(_ teller: Address, to target: Address) -> Bool {
    let isOwnDoor = teller.origin == target.origin
    if isOwnDoor, target.scheme == "https" { return true }
    return found[teller.host] ?? (isOwnDoor || PrivateNetwork.holds(teller.host))
  }
}

extension Transfer {
  /// Decides for the next hop whether it must not enter private networks, and whether a proxy goes there for us: what
  /// the proxy connects to is not seen here, so that no host may then be left out of it.
  func prepareReach(_ curl: Curl, _ surroundings: Surroundings) {
    let proxy = surroundings.proxy(for: address?.scheme ?? "")
    isProxied = !proxy.isEmpty && surroundings.unproxied != "*"
    isConfined = false
    guard let text = request.toldBy, let target = address else { return }
    let teller = neighbourhood?.teller(text, curl)
    isConfined = teller.map { neighbourhood?.mayLeadInside($0, to: target) != true } ?? true
  }

  /// The hosts that no proxy is asked for.
  func unproxied(_ surroundings: Surroundings) -> String { isConfined && isProxied ? "" : surroundings.unproxied }

  /// Whether the request may be sent to the address that was connected to; else the transfer has failed.
  func mayReach(_ connected: String) -> Bool {
    guard request.toldBy != nil else {
      if !isProxied, sink == nil, hops == 0 {
        neighbourhood?.note(host, isPrivate: PrivateNetwork.holds(connected))
      }
      return true
    }
    guard isConfined, PrivateNetwork.holds(isProxied ? host : connected) else { return true }
    failure = .privatePlace(host: host)
    return false
  }
}

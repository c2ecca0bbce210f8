/// What a person set for the requests to one host.
public struct HostOptions: Sendable, Equatable {
  /// The User-Agent in place of the session's.
  public var agent: String?
  /// The Referer of requests that have none.
  public var referer: String?
  /// The cookies of a browser. They are sent over https only, by GET and HEAD, and not once a redirect left the host.
  public var cookies: [Cookie]
  /// The shortest time between the beginnings of two requests.
  public var delay: Duration?

  /// Options. By default nothing is set.
  public init(agent: String? = nil, referer: String? = nil, cookies: [Cookie] = [], delay: Duration? = nil) {
    (self.agent, self.referer, self.cookies, self.delay) = (agent, referer, cookies, delay)
  }
}

/// Keeps the requests to a host apart. Belongs to the driver thread.
struct HostPacing {
  private let hosts: [String: HostOptions]
  private var earliest: [String: ContinuousClock.Instant] = [:]

  init(_ hosts: [String: HostOptions]) { self.hosts = hosts }

  /// Whether a request to this address may be sent now.
  func mayStart(_ address: Address?, at now: ContinuousClock.Instant) -> Bool {
    guard !earliest.isEmpty, let key = address.flatMap(hosts.key) else { return true }
    return earliest[key].map { $0 <= now } ?? true
  }

  /// Records that a request is sent.
  mutating func note(_ address: Address?, at now: ContinuousClock.Instant) {
    guard let key = address.flatMap(hosts.key), let delay = hosts[key]?.delay else { return }
    earliest[key] = now + delay.asWait
  }

  /// When the next of the hosts may be asked again; nil if all may be.
  func next(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    earliest.isEmpty ? nil : earliest.values.filter { $0 > now }.min()
  }
}

extension [String: HostOptions] {
  /// The name that stands for an address: its host and port, or its host with any port.
  func key(of address: Address) -> String? {
    isEmpty ? nil : ["\(address.host):\(address.port)", address.host].first { self[$0] != nil }
  }

  /// What is set for an address; nothing if no name stands for it.
  func options(of address: Address?) -> HostOptions {
    address.flatMap(key).flatMap { self[$0] } ?? HostOptions()
  }
}

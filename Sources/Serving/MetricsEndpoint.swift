import ArgumentParser
import Glibc

/// Where Prometheus collects numbers, as the option `--metrics` names it: an address of this machine alone, and a port.
package struct MetricsEndpoint: Sendable, Equatable {
  package let address: String
  package let port: Int

  /// Reads `127.0.0.1:9187` or `[::1]:9187`.
  ///
  /// - Throws: `ValidationError` if it is none, or if others reach it: there is no password.
  package init(option text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65_535).contains(port), let address = Self.address(text[..<colon])
    else { throw ValidationError("--metrics \"\(text)\" is no address with a port, such as 127.0.0.1:9187") }
    guard Self.isLoopback(address) else {
      throw ValidationError(
        "--metrics has no password: it takes an address of this machine alone, such as 127.0.0.1:9187")
    }
    (self.address, self.port) = (address, port)
  }

  /// Whether it is an address of IPv6.
  package var isVersion6: Bool { address.contains(":") }

  /// The address as a field Host names it.
  package var hostName: String { isVersion6 ? "[\(address)]" : address }

  /// Calls `body` with the address as the system takes it.
  package func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    if isVersion6 {
      var made = sockaddr_in6()
      made.sin6_family = sa_family_t(AF_INET6)
      made.sin6_port = in_port_t(port).bigEndian
      inet_pton(AF_INET6, address, &made.sin6_addr)
      return Self.hand(made, body)
    }
    var made = sockaddr_in()
    made.sin_family = sa_family_t(AF_INET)
    made.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address, &made.sin_addr)
    return Self.hand(made, body)
  }

  private static func hand<Made>(_ made: Made, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: made) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Made>.size)) }
    }
  }

  private static func address(_ text: Substring) -> String? {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let address = String(isBracketed ? text.dropFirst().dropLast() : text)
    return isAddress(address) ? address : nil
  }

  static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    return [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
  }

  static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }
}

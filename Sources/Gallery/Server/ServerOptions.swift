import Glibc

extension GalleryServer {
  /// How the gallery is served.
  package struct Options: Sendable {
    /// The port; 0 for any free one.
    package var port: Int
    /// Whether every request that would change something is refused.
    package var isReadOnly: Bool
    /// The address to listen on; nil for the loopback addresses.
    package var address: String?
    /// The names by which browsers may reach it besides those of the loopback address.
    package var hosts: [String]
    /// The files of the certificate and its key; nil for no TLS.
    package var tls: CertificateFiles?
    /// Whether a proxy stands before it. The proxy's fields about the request count.
    package var isBehindProxy: Bool
    /// Whether the environment names the library for the programs that the gallery starts. Its folder does otherwise.
    package var isLibraryInEnvironment = false
    /// The keys of its lists.
    package var keys: [KeyBinding] = []
    /// Where numbers for Prometheus are, and the version that they tell; nil for nowhere.
    package var metrics: (address: String, port: Int, version: String)?
    /// What connections may cost.
    package var limits = ConnectionLimits()

    /// Creates options; the default is any free port of the loopback addresses.
    package init(
      port: Int = 0, isReadOnly: Bool = false, address: String? = nil, hosts: [String] = [],
      tls: CertificateFiles? = nil,
      isBehindProxy: Bool = false
    ) {
      (self.port, self.isReadOnly, self.address, self.hosts) = (port, isReadOnly, address, hosts)
      (self.tls, self.isBehindProxy) = (tls, isBehindProxy)
    }

    /// Whether others than the people of this machine can reach it.
    package var isOnNetwork: Bool { isBehindProxy || address.map { !Self.isLoopback($0) } ?? false }

    /// The addresses to listen on. A machine without IPv6 has only one loopback address.
    var addresses: [String] { address.map { [$0] } ?? (IPv6.isPresent ? ["127.0.0.1", "::1"] : ["127.0.0.1"]) }

    /// The address of the gallery in a browser.
    package func server(at port: Int) -> String {
      if isBehindProxy, let host = hosts.first { return "https://\(host)" }
      let isEverywhere = address.map { ["0.0.0.0", "::"].contains($0) } ?? false
      let own = address.map { $0.contains(":") ? "[\($0)]" : $0 }
      let host = hosts.first ?? (isEverywhere ? nil : own) ?? "127.0.0.1"
      return "\(tls == nil ? "http" : "https")://\(host):\(port)"
    }

    private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }
  }
}

/// What connections may cost, so that those that send little or nothing do not add up.
package struct ConnectionLimits: Sendable, Equatable {
  /// How long a connection may be silent before its request is whole, or between two requests.
  package var idle = Duration.seconds(30)
  /// The maximum number of connections at each address. More wait.
  package var connections = 256
  /// The maximum number of connections from one address, or from one network of IPv6. More are closed. A browser has six, and
  /// one for what is live.
  package var connectionsOfPeer = 32
  /// How long the head of a request may take from its first byte.
  package var head = Duration.seconds(10)
  /// The maximum number of bytes of all header fields of a request.
  package var headerBytes = 32 << 10
  /// The maximum number of header fields.
  package var headerFields = 100
  /// How many bytes of a body are let go by after the answer, before the connection is closed.
  ///
  /// As long as a browser sends, it sees no answer: what is too large is told as that up to here.
  package var bytesAfterAnswer = 8 << 20

  /// The limits of a gallery.
  package init() {}
}

/// The files of a certificate.
package struct CertificateFiles: Sendable, Equatable {
  let certificate: String
  let key: String

  /// Names the files, in PEM.
  package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
}

/// Whether the machine speaks IPv6.
private enum IPv6 {
  /// Tried by binding to the loopback address, at any port.
  static let isPresent: Bool = {
    let file = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()
}

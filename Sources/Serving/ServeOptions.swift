import ArgumentParser
import Glibc

/// The options of `media serve`, which its program, `media-serve`, reads as they were typed.
package struct ServeOptions: ParsableArguments {
  @Option(help: "The port; 0 chooses a free one.")
  package var port = 8787

  @Flag(help: "Open it in the browser.")
  package var open = false

  @Flag(help: "Refuse every change.")
  package var readOnly = false

  @Option(help: "An address of this machine to listen on instead, for others on the network.")
  package var listen: String?

  @Option(help: ArgumentHelp("A PEM file with the certificate for TLS.", valueName: "file"), completion: .file())
  package var cert: String?

  @Option(help: ArgumentHelp("A PEM file with the certificate's key.", valueName: "file"), completion: .file())
  package var key: String?

  @Flag(help: "Trust X-Forwarded-* headers, which a proxy in front of the gallery sets.")
  package var behindProxy = false

  @Option(help: ArgumentHelp("A name by which browsers reach it; may be repeated.", valueName: "name"))
  package var host: [String] = []

  @Flag(help: "Let browsers read large pictures, videos and sounds from the S3 service itself.")
  package var direct = false

  @Option(
    help: ArgumentHelp(
      "An address of this machine's own and a port, where Prometheus collects numbers at /metrics.",
      valueName: "address:port"))
  package var metrics: String?

  @Flag(help: "Print another one-time address, for another browser, and serve nothing.")
  package var newAddress = false

  @Flag(help: "Read a password for browsers on the network, and serve nothing.")
  package var setPassword = false

  package init() {}

  package func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port) is out of range, it must be from 0 to 65535")
    }
    guard !newAddress || port > 0 else { throw ValidationError("--new-address needs the --port of the server") }
    guard !(newAddress && setPassword) else {
      throw ValidationError("--new-address and --set-password exclude each other")
    }
    guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key go together") }
    if let listen, !Self.isAddress(listen) {
      throw ValidationError("--listen \"\(listen)\" is no address, such as 192.168.1.5 or ::")
    }
    if let name = host.first(where: { !Self.isHost($0) }) {
      throw ValidationError("--host \"\(name)\" is no name of a host, such as gallery.example")
    }
    if let metrics {
      guard let endpoint = Self.endpoint(metrics) else {
        throw ValidationError("--metrics \"\(metrics)\" is no address with a port, such as 127.0.0.1:9187")
      }
      guard Self.isLoopback(endpoint.address) else {
        throw ValidationError(
          "--metrics has no password: it takes an address of this machine alone, such as 127.0.0.1:9187")
      }
    }
    guard listen.map(Self.isLoopback) ?? true || cert != nil || behindProxy else {
      throw ValidationError("--listen needs --cert and --key for TLS, or --behind-proxy")
    }
    guard !behindProxy || !host.isEmpty else {
      throw ValidationError("--behind-proxy needs --host with the name that browsers ask the proxy for")
    }
  }

  /// Where `--metrics` listens.
  package var metricsEndpoint: (address: String, port: Int)? { metrics.flatMap(Self.endpoint) }

  /// An address and a port: `127.0.0.1:9187`, `[::1]:9187`.
  private static func endpoint(_ text: String) -> (address: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    var address = String(text[..<colon])
    if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
    return isAddress(address) ? (address, port) : nil
  }

  private static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    return [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
  }

  private static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

  private static func isHost(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") { return isAddress(String(name.dropFirst().dropLast())) }
    return !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        ($0 < 0x80 && Character(Unicode.Scalar($0)).isLetter) || (48...57).contains($0) || "-.".utf8.contains($0)
      }
  }
}

import ArgumentParser

/// The options of `media serve`, which its program, `media-serve`, reads as they were typed.
package struct ServeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port; 0 chooses a free one. (default: 8787)"))
  package var port: Int?

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
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port \(port) is out of range, it must be from 0 to 65535")
    }
    guard !newAddress || port != 0 else { throw ValidationError("--new-address needs the --port of the server") }
    guard !(newAddress && setPassword) else {
      throw ValidationError("--new-address and --set-password exclude each other")
    }
    guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key go together") }
    if let listen, !MetricsEndpoint.isAddress(listen) {
      throw ValidationError("--listen \"\(listen)\" is no address, such as 192.168.1.5 or ::")
    }
    if let name = host.first(where: { !Self.isHost($0) }) {
      throw ValidationError("--host \"\(name)\" is no name of a host, such as gallery.example")
    }
    _ = try metrics.map(MetricsEndpoint.init(option:))
    guard listen.map(MetricsEndpoint.isLoopback) ?? true || cert != nil || behindProxy else {
      throw ValidationError("--listen needs --cert and --key for TLS, or --behind-proxy")
    }
    guard !behindProxy || !host.isEmpty else {
      throw ValidationError("--behind-proxy needs --host with the name that browsers ask the proxy for")
    }
  }

  /// The port where it listens.
  package var chosenPort: Int { port ?? 8787 }

  /// Whether an address of the server was typed, or what belongs to it.
  package var namesAddress: Bool { port != nil || listen != nil || cert != nil || behindProxy || !host.isEmpty }

  /// Where `--metrics` listens.
  package var metricsEndpoint: MetricsEndpoint? { metrics.flatMap { try? MetricsEndpoint(option: $0) } }

  private static func isHost(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return MetricsEndpoint.isAddress(String(name.dropFirst().dropLast()))
    }
    return !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        ($0 < 0x80 && Character(Unicode.Scalar($0)).isLetter) || (48...57).contains($0) || "-.".utf8.contains($0)
      }
  }
}

import Posts

/// Why a server was not reached although something answers there, in the words of logins and pulls alike.
package enum ServerRefusal {
  /// A protection before the server refused this program.
  case blocked(Server)
  /// The server's certificate is not trusted.
  case untrusted(Server, String)

  /// What failed.
  package var summary: String {
    switch self {
    case .blocked(let server): "\(server)'s protection refused this program"
    case .untrusted(let server, let reason): "\(server) cannot be reached (its certificate is not trusted: \(reason))"
    }
  }

  /// What to do about it. No authority mends a certificate that expired, or that is another host's.
  package var cure: String {
    switch self {
    case .blocked(let server):
      "see in a browser what it wants; [hosts.\"\(server.host)\"] in config.toml may name a user-agent, referer or cookies"
    case .untrusted(_, let reason) where reason.contains("expired"): "tell its owner, or check this machine's clock"
    case .untrusted(_, let reason) where reason.contains("does not match"): "check the address"
    case .untrusted: "if you trust it, name the PEM file of its authority with --ca-file"
    }
  }
}

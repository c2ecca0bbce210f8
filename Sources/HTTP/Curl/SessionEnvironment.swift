/// A session's user agent, what is set for single hosts, and what it reads from the environment as the `curl` command does.
struct SessionEnvironment: Sendable {
  let agent: String
  let hosts: [String: HostOptions]
  let certificates: String?
  let certificateFolder: String?
  let netrc: String?
  let home: String?
  let unproxied: String
  private let proxies: [String: ProxyAddress]

  init(agent: String, hosts: [String: HostOptions] = [:], environment: [String: String]) {
    let named = { (names: [String]) in names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    (self.agent, self.hosts) = (agent, hosts)
    certificates = named(["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    certificateFolder = named(["SSL_CERT_DIR"])
    netrc = named(["NETRC"])
    home = named(["HOME"])
    unproxied = named(["no_proxy", "NO_PROXY"]) ?? ""
    // HTTP_PROXY in capitals is ignored: a client of a CGI program can set it.
    let variables = [
      "http": ["http_proxy", "all_proxy", "ALL_PROXY"],
      "https": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
    ]
    proxies = variables.compactMapValues { names in
      names.first { environment[$0]?.isEmpty == false }.map { ProxyAddress(variable: $0, text: environment[$0] ?? "") }
    }
  }

  /// The proxy for a scheme; nil if none.
  func proxy(for scheme: String) -> ProxyAddress? { proxies[scheme] }
}

/// A proxy, and the variable that names it.
struct ProxyAddress: Sendable, Equatable {
  let variable: String
  /// The value of the variable. It may hold a password.
  let text: String

  /// Its host, as libcurl's messages name it.
  var host: String {
    authority.hasPrefix("[")
      ? String(authority.dropFirst().prefix { $0 != "]" }) : String(authority.prefix { $0 != ":" })
  }

  /// Its port; the one that libcurl assumes if none is named (https://curl.se/libcurl/c/CURLOPT_PROXY.html).
  var port: String {
    let rest = authority.hasPrefix("[") ? authority.drop { $0 != "]" }.dropFirst() : authority.drop { $0 != ":" }
    if rest.hasPrefix(":") { return String(rest.dropFirst()) }
    return text.lowercased().hasPrefix("https://") ? "443" : "1080"
  }

  private var authority: Substring {
    let bare = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let authority = bare.prefix { $0 != "/" }
    return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
  }
}

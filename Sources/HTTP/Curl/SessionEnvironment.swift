/// A session's user agent, and what it reads from the environment as the `curl` command does.
struct SessionEnvironment: Sendable {
  let agent: String
  let certificates: String?
  let certificateFolder: String?
  let netrc: String?
  let home: String?
  let unproxied: String
  private let proxies: [String: String]

  init(agent: String, environment: [String: String]) {
    let named = { (names: [String]) in names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.agent = agent
    certificates = named(["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    certificateFolder = named(["SSL_CERT_DIR"])
    netrc = named(["NETRC"])
    home = named(["HOME"])
    unproxied = named(["no_proxy", "NO_PROXY"]) ?? ""
    // HTTP_PROXY in capitals is ignored: a client of a CGI program can set it.
    proxies = [
      "http": named(["http_proxy", "all_proxy", "ALL_PROXY"]) ?? "",
      "https": named(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) ?? "",
    ]
  }

  /// The proxy for a scheme; empty if none.
  func proxy(for scheme: String) -> String { proxies[scheme] ?? "" }
}

/// What a session takes from its surroundings: its name, and what the environment says as the `curl` command reads it.
struct Surroundings: Sendable {
  let agent: String
  let certificates: String?
  let certificateFolder: String?
  let netrc: String?
  let unproxied: String
  private let proxies: [String: String]

  init(agent: String, environment: [String: String]) {
    let named = { (names: [String]) in names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.agent = agent
    certificates = named(["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    certificateFolder = named(["SSL_CERT_DIR"])
    netrc = named(["NETRC"])
    unproxied = named(["no_proxy", "NO_PROXY"]) ?? ""
    // HTTP_PROXY in capitals is left alone: to a CGI program a client may dictate it.
    proxies = [
      "http": named(["http_proxy", "all_proxy", "ALL_PROXY"]) ?? "",
      "https": named(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) ?? "",
    ]
  }

  /// The proxy for a scheme, empty for none.
  func proxy(for scheme: String) -> String { proxies[scheme] ?? "" }
}

import CCurl
import Glibc

extension Transfer {
  /// The result of a hop.
  enum Outcome {
    case again
    case ended(Result<Response, TransportError>)
  }

  /// Interprets libcurl's result: an answer, a failure, or the next hop. For the next hop, sets the transfer's URL.
  func outcome(_ code: CURLcode, _ easy: UnsafeMutableRawPointer, _ curl: Curl) -> Outcome {
    if let failure { return .ended(.failure(failure)) }
    if code == CURLE_BAD_CONTENT_ENCODING, isDecoded, namesUnknownCoding, request.method == .get {
      // libcurl refuses such a body. Browsers show it.
      isDecoded = false
      return .again
    }
    guard code == CURLE_OK || endedEarly else { return .ended(.failure(error(code, easy, curl))) }
    if isRedirect {
      let target = curl_shim_get_text(curl.shim, easy, CURLINFO_REDIRECT_URL).map { String(cString: $0) }
      return follow(target ?? "", curl)
    }
    if !begun, isSuccess { _ = begin() }
    return .ended(failure.map { .failure($0) } ?? .success(head))
  }

  private func follow(_ target: String, _ curl: Curl) -> Outcome {
    let shown = Self.redacted(target)
    // libcurl inserts the login from .netrc into the target. Removing it also removes a login that the server wrote
    // there.
    let target = withoutToken(looksIntoNetrc ? Self.withoutLogin(target) : target)
    guard let next = Address(target, curl), let here = address else { return .ended(.failure(.redirectInvalid)) }
    if let error = refusal(of: next, from: here, shown) { return .ended(.failure(error)) }
    visited.insert(visit)
    cookies.note(head.headers, from: url)
    hasLeft = hasLeft || next.host != here.host
    (url, address) = (target, next)
    if visited.contains(visit) { return .ended(.failure(.redirectLoop)) }
    return visited.count > Request.mostRedirects ? .ended(.failure(.tooManyRedirects)) : .again
  }

  /// Why a redirect must not be followed; nil if it may be.
  private func refusal(of next: Address, from here: Address, _ shown: String) -> TransportError? {
    let isDowngraded = here.scheme == "https" && next.scheme == "http"
    switch request.redirects {
    case .sameOrigin where next.origin == firstOrigin: return nil
    case .sameOrigin: return isDowngraded && next.host == here.host ? .redirectDowngraded : .redirectRefused(to: shown)
    case .anywhere: return isDowngraded ? .redirectDowngraded : nil
    case .nowhere: return .redirectRefused(to: shown)
    }
  }

  /// The request of this hop. A server may lead to the same URL again once the cookie is there that it has just set.
  private var visit: String { "\(url) \(cookies.field(for: url) ?? "")" }

  /// Servers repeat the query of a request in the URL that they redirect to, including the token.
  private func withoutToken(_ url: String) -> String {
    guard case .query(let fields) = request.tokenPlacement, let token = request.token else { return url }
    return Request.address(url, without: fields, holding: token)
  }

  /// A URL for an error's text. Its query and fragment may contain a token, and the server chose its length and
  /// characters.
  private static func redacted(_ url: String) -> String {
    let path = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }.filter { (33..<127).contains($0.value) }
    return String(withoutLogin(String(String.UnicodeScalarView(path))).prefix(200))
  }

  /// Removes user and password from a URL.
  private static func withoutLogin(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
  }

  private func error(_ code: CURLcode, _ easy: UnsafeMutableRawPointer, _ curl: Curl) -> TransportError {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(host)
    case CURLE_COULDNT_RESOLVE_PROXY:
      .noHTTP(host: host, reason: "cannot resolve the host of the proxy in \(proxy?.variable ?? "http_proxy")")
    case _ where failedAtProxy:
      .unreachable(
        host: host,
        reason: "the proxy in \(proxy?.variable ?? "http_proxy") cannot be reached: \(reason(code, easy, curl))")
    case CURLE_OPERATION_TIMEDOUT: .timedOut(host: host)
    case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .invalidURL
    // OpenSSL's text for an answer in plain HTTP.
    case CURLE_SSL_CONNECT_ERROR where String(cString: errorBuffer).contains("wrong version number"):
      .noTLS(host: host)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS:
      .untrusted(host: host, reason: errorBuffer.pointee == 0 ? curl.message(code) : String(cString: errorBuffer))
    case _ where mayHaveTakenEffect(code): .cut(host: host)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      .noHTTP(host: host, reason: "what answers there does not speak HTTP")
    case CURLE_GOT_NOTHING: .unreachable(host: host, reason: "the connection closed without an answer")
    default: .unreachable(host: host, reason: reason(code, easy, curl))
    }
  }

  /// Whether the connection failed at the proxy, by the address in libcurl's message.
  private var failedAtProxy: Bool {
    guard let proxy else { return false }
    return String(cString: errorBuffer).contains("connect to \(proxy.host) port \(proxy.port) ")
  }

  /// Whether an answer had begun, or the server may have read a POST.
  private func mayHaveTakenEffect(_ code: CURLcode) -> Bool {
    inBody || head.status >= 200 || code == CURLE_PARTIAL_FILE || code == CURLE_BAD_CONTENT_ENCODING
      || (!request.mayBeRepeated && code != CURLE_COULDNT_CONNECT)
  }

  private func reason(_ code: CURLcode, _ easy: UnsafeMutableRawPointer, _ curl: Curl) -> String {
    let number = curl_shim_get_long(curl.shim, easy, CURLINFO_OS_ERRNO)
    return number == 0 ? curl.message(code) : String(cString: strerror(Int32(truncatingIfNeeded: number)))
  }
}

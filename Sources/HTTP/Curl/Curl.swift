import CCrypto
import CCurl

/// libcurl, loaded at first use.
///
/// The table behind the pointer is written once, before any other code sees it, and never freed. So any thread may read
/// it. The handles that its functions are called with belong to the driver thread.
struct Curl: @unchecked Sendable {
  let shim: UnsafePointer<CurlShim>

  /// The library; nil if it is not installed.
  static let library: Curl? = {
    // libcurl loads libcrypto, which must not clean up in exit(): the driver thread may be using it.
    _ = crypto_door()
    return curl_shim_open().map { Curl(shim: $0) }
  }()

  /// libcurl's message for a result code.
  func message(_ code: CURLcode) -> String { String(cString: curl_shim_message(shim, code)) }
}

/// A URL as libcurl parses it, so that the program checks the same URL that it connects to.
struct Address: Sendable {
  let scheme: String
  let host: String
  let port: String

  /// Returns nil for anything but an absolute http or https URL without user and password.
  init?(_ text: String, _ curl: Curl) {
    guard !text.utf8.contains(0), let url = curl_shim_url(curl.shim, text) else { return nil }
    defer { curl_shim_free_url(curl.shim, url) }
    let part = { (part: CURLUPart) -> String? in
      guard let text = curl_shim_part(curl.shim, url, part) else { return nil }
      defer { curl_shim_free_part(curl.shim, text) }
      return String(cString: text).lowercased()
    }
    guard let scheme = part(CURLUPART_SCHEME), scheme == "https" || scheme == "http",
      let host = part(CURLUPART_HOST), !host.isEmpty, let port = part(CURLUPART_PORT),
      part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil
    else { return nil }
    (self.scheme, self.host, self.port) = (scheme, host, port)
  }

  /// Scheme, host and port.
  var origin: String { "\(scheme)://\(host):\(port)" }
}

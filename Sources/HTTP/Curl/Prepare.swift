import CCurl
import Glibc

extension Transfer {
  /// Configures a handle for this transfer's next hop.
  func prepare(_ easy: UnsafeMutableRawPointer, _ curl: Curl, _ sessionEnvironment: SessionEnvironment) {
    let shim = curl.shim
    curl_shim_reset(shim, easy)
    resetAnswer()
    prepareReach(curl, sessionEnvironment)
    options = sessionEnvironment.hosts.options(of: address)
    curl_shim_set_text(shim, easy, CURLOPT_URL, addressOnTheWire)
    curl_shim_set_text(shim, easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_shim_set_long(shim, easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    curl_shim_set_long(shim, easy, CURLOPT_NOSIGNAL, 1)
    curl_shim_set_long(shim, easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    // Without this, the thread waits for name resolution of an abandoned request, and name servers may not answer.
    curl_shim_set_long(shim, easy, CURLOPT_QUICK_EXIT, 1)
    curl_shim_set_long(shim, easy, CURLOPT_BUFFERSIZE, 128 << 10)
    curl_shim_set_long(shim, easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // This also has libcurl decompress the body.
    if decodes { curl_shim_set_text(shim, easy, CURLOPT_ACCEPT_ENCODING, sink == nil ? "" : "identity") }
    curl_shim_set_text(shim, easy, CURLOPT_USERAGENT, options.agent ?? sessionEnvironment.agent)
    curl_shim_set_pointer(shim, easy, CURLOPT_ERRORBUFFER, errorBuffer)
    curl_shim_set_text(shim, easy, CURLOPT_PROXY, proxy?.text ?? "")
    curl_shim_set_text(shim, easy, CURLOPT_NOPROXY, unproxied(sessionEnvironment))
    setPatience(easy, curl)
    setTrust(easy, curl, sessionEnvironment)
    setFields(easy, curl)
    setCallbacks(easy, curl)
    setMethod(easy, curl)
    // Downloads from one server share a connection if it can multiplex them.
    if sink != nil, address?.scheme == "https" { curl_shim_set_long(shim, easy, CURLOPT_PIPEWAIT, 1) }
  }

  private func resetAnswer() {
    head = Response(status: 0, url: url)
    (headerBytes, contentEncodingCount, received, headEnded, inBody) = (0, 0, 0, false, false)
    (begun, endedEarly, failure) = (false, false, nil)
    errorBuffer.pointee = 0
  }

  /// libcurl limits the time until the request is sent, the driver the time after that. libcurl's own speed limit uses
  /// an average over five seconds, so it would react that much later.
  private func setPatience(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let patience = Int(request.patience.asWait / .milliseconds(1))
    curl_shim_set_long(curl.shim, easy, CURLOPT_CONNECTTIMEOUT_MS, patience)
    beginHop()
  }

  /// Certificates are always verified.
  private func setTrust(_ easy: UnsafeMutableRawPointer, _ curl: Curl, _ sessionEnvironment: SessionEnvironment) {
    if let file = sessionEnvironment.certificates { curl_shim_set_text(curl.shim, easy, CURLOPT_CAINFO, file) }
    if let folder = sessionEnvironment.certificateFolder { curl_shim_set_text(curl.shim, easy, CURLOPT_CAPATH, folder) }
    guard looksIntoNetrc else { return }
    curl_shim_set_long(curl.shim, easy, CURLOPT_NETRC, curl_shim_netrc_optional)
    if let file = sessionEnvironment.netrc { curl_shim_set_text(curl.shim, easy, CURLOPT_NETRC_FILE, file) }
    head.hasLogin = Netrc.names(
      host, inFile: sessionEnvironment.netrc ?? sessionEnvironment.home.map { "\($0)/.netrc" })
  }

  /// Whether the next hop may use a login from `.netrc`: only a GET whose URL no stranger chose and that has no
  /// credentials of its own.
  var looksIntoNetrc: Bool {
    guard sink == nil, request.method == .get, isAtFirstOrigin else { return false }
    switch request.redirects {
    case .sameOrigin, .nowhere(isUserChosen: true):
      return request.token == nil && request.headers["Authorization"] == nil
    case .anywhere, .nowhere(isUserChosen: false): return false
    }
  }

  /// Whether the next hop goes to the origin of the original URL.
  private var isAtFirstOrigin: Bool { address?.origin == firstOrigin }

  /// The next hop's URL as it is sent, with the token if it belongs into the query.
  private var addressOnTheWire: String {
    guard case .query(let fields) = request.tokenPlacement, let token = request.token, isAtFirstOrigin else {
      return url
    }
    return Request.address(Request.address(url, without: fields, holding: token), fields.map { ($0, token.reveal()) })
  }

  private func setFields(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    for (name, value) in request.headers.fields where isAtFirstOrigin || !Self.isCredential(name) {
      if name.lowercased() != "cookie" { append(name, value, curl) }
    }
    if let cookieField { append("Cookie", cookieField, curl) }
    if !personsCookies.isEmpty { head.hasLogin = true }
    if let referer = options.referer, request.headers["Referer"] == nil { append("Referer", referer, curl) }
    if case .header(let scheme) = request.tokenPlacement, let token = request.token, isAtFirstOrigin {
      append("Authorization", "\(scheme) \(token.reveal())", curl)
    }
    if !decodes { append("Accept-Encoding", "identity", curl) }
    if request.method == .post { fields = curl_shim_append(curl.shim, fields, "Expect:") }
    curl_shim_set_list(curl.shim, easy, CURLOPT_HTTPHEADER, fields)
  }

  /// The cookies of the next hop: the request's own, those of this chain of redirects, and those of a person's browser.
  var cookieField: String? {
    let fields = [
      isAtFirstOrigin ? request.headers["Cookie"] : nil, cookies.field(for: url, beside: personsCookies),
    ].compactMap(\.self)
    return fields.isEmpty ? nil : fields.joined(separator: "; ")
  }

  /// The cookies of a person's browser that the next hop may bring: over https, to the host itself, and only to read.
  private var personsCookies: [Cookie] {
    if case .nowhere(isUserChosen: false) = request.redirects { return [] }
    let isRead = request.method == .get || request.method == .head
    return isRead && !hasLeft && address?.scheme == "https" ? options.cookies : []
  }

  private static func isCredential(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }

  /// Adds a header field without control characters: a line break would begin another field.
  private func append(_ name: String, _ value: String, _ curl: Curl) {
    let plain = { (text: String) in
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }
    let value = plain(value)
    let line = value.isEmpty ? "\(plain(name));" : "\(plain(name)): \(value)"
    fields = curl_shim_append(curl.shim, fields, line)
  }

  /// Frees the list of fields. The handle must no longer use it.
  func releaseFields(_ curl: Curl) {
    if let fields { curl_shim_free_list(curl.shim, fields) }
    fields = nil
  }

  /// A POST that must not be repeated uses a new connection: libcurl would send it again if a reused one had died.
  private func setMethod(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    switch request.method {
    case .get: break
    case .head: curl_shim_set_long(curl.shim, easy, CURLOPT_NOBODY, 1)
    case .delete: curl_shim_set_text(curl.shim, easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    case .post:
      setBody(easy, curl)
      if !request.mayBeRepeated { curl_shim_set_long(curl.shim, easy, CURLOPT_FRESH_CONNECT, 1) }
    case .put:
      if let upload = request.upload { return setUpload(upload, easy, curl) }
      setBody(easy, curl)
      curl_shim_set_text(curl.shim, easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  private func setBody(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let body = request.body ?? []
    curl_shim_set_long(curl.shim, easy, CURLOPT_POST, 1)
    curl_shim_set_size(curl.shim, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    // Never NULL: without a body, libcurl would read one from standard input.
    (body + [0]).withUnsafeBytes { curl_shim_set_bytes(curl.shim, easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
  }

  private func setUpload(_ upload: Upload, _ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    uploaded = 0
    curl_shim_set_long(curl.shim, easy, CURLOPT_UPLOAD, 1)
    curl_shim_set_size(curl.shim, easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.byteCount))
    curl_shim_set_read(curl.shim, easy, readCallback)
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_READDATA, this)
    curl_shim_set_seek(curl.shim, easy, seekCallback)
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_SEEKDATA, this)
  }

  /// Copies the next bytes of the upload. Returns nil if they cannot be read.
  fileprivate func readUpload(into space: UnsafeMutableRawBufferPointer) -> Int? {
    guard let upload = request.upload else { return 0 }
    let count = min(space.count, upload.byteCount - uploaded)
    guard let bytes = upload.read(uploaded, count), bytes.count == count else {
      failure = .sink("what was to be sent cannot be read")
      return nil
    }
    space.copyBytes(from: bytes)
    uploaded += count
    // The server is silent while it receives.
    if lastActivity != nil { lastActivity = .now }
    return count
  }

  private func setCallbacks(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    curl_shim_set_callback(curl.shim, easy, CURLOPT_HEADERFUNCTION, headerCallback)
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_HEADERDATA, this)
    curl_shim_set_callback(curl.shim, easy, CURLOPT_WRITEFUNCTION, bodyCallback)
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_WRITEDATA, this)
    curl_shim_set_start(curl.shim, easy, startCallback)
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_PREREQDATA, this)
  }
}

// libcurl calls these on the driver thread while the driver owns the transfer.

private func startCallback(
  _ transfer: UnsafeMutableRawPointer?, _ to: UnsafeMutablePointer<CChar>?, _ from: UnsafeMutablePointer<CChar>?,
  _ toPort: Int32, _ fromPort: Int32
) -> Int32 {
  guard let transfer, let to else { return CURL_PREREQFUNC_ABORT }
  let current = Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
  guard current.mayReach(String(cString: to)) else { return CURL_PREREQFUNC_ABORT }
  current.beginAnswer()
  return CURL_PREREQFUNC_OK
}

private func readCallback(
  _ space: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer, let space else { return Int(CURL_READFUNC_ABORT) }
  let part = UnsafeMutableRawBufferPointer(start: space, count: size * count)
  let current = Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
  return current.readUpload(into: part) ?? Int(CURL_READFUNC_ABORT)
}

// libcurl goes back to the beginning if a connection that it used again had ended.
private func seekCallback(_ transfer: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
  guard let transfer, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
  Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().uploaded = Int(offset)
  return CURL_SEEKFUNC_OK
}

private func headerCallback(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveHeader(line) ? line.count : 0
}

private func bodyCallback(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer else { return 0 }
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveBody(part) ? part.count : 0
}

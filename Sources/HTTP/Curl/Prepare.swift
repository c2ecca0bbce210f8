import CCurl

extension Transfer {
  /// Sets a handle up for this transfer's next hop.
  func prepare(_ easy: UnsafeMutableRawPointer, _ curl: Curl, _ surroundings: Surroundings) {
    let door = curl.door
    curl_door_reset(door, easy)
    forgetAnswer()
    prepareReach(curl, surroundings)
    curl_door_set_text(door, easy, CURLOPT_URL, addressOnTheWire)
    curl_door_set_text(door, easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_door_set_long(door, easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    curl_door_set_long(door, easy, CURLOPT_NOSIGNAL, 1)
    curl_door_set_long(door, easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    // Else the thread waits for the look-up of a name whose request was let go of, and name servers may be silent.
    curl_door_set_long(door, easy, CURLOPT_QUICK_EXIT, 1)
    curl_door_set_long(door, easy, CURLOPT_BUFFERSIZE, 128 << 10)
    curl_door_set_long(door, easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Set, it also has libcurl decompress what comes.
    if sink == nil { curl_door_set_text(door, easy, CURLOPT_ACCEPT_ENCODING, "") }
    curl_door_set_text(door, easy, CURLOPT_USERAGENT, surroundings.agent)
    curl_door_set_pointer(door, easy, CURLOPT_ERRORBUFFER, words)
    curl_door_set_text(door, easy, CURLOPT_PROXY, surroundings.proxy(for: address?.scheme ?? ""))
    curl_door_set_text(door, easy, CURLOPT_NOPROXY, unproxied(surroundings))
    setPatience(easy, curl)
    setTrust(easy, curl, surroundings)
    setFields(easy, curl)
    setCallbacks(easy, curl)
    if request.method == .post { setBody(easy, curl) }
    // Pictures of one server share a connection where it can carry them all at once.
    if sink != nil, address?.scheme == "https" { curl_door_set_long(door, easy, CURLOPT_PIPEWAIT, 1) }
  }

  private func forgetAnswer() {
    head = Response(status: 0, url: url)
    (headerBytes, packings, received, headEnded, inBody) = (0, 0, 0, false, false)
    (begun, enough, failure) = (false, false, nil)
    words.pointee = 0
  }

  /// Until the request is sent libcurl watches the clock, after that the driver: libcurl's own limit on slowness
  /// looks at an average of five seconds, and would be as late.
  private func setPatience(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let patience = Int(request.patience.asWait / .milliseconds(1))
    curl_door_set_long(curl.door, easy, CURLOPT_CONNECTTIMEOUT_MS, patience)
    beginHop()
  }

  /// Certificates always have to be right.
  private func setTrust(_ easy: UnsafeMutableRawPointer, _ curl: Curl, _ surroundings: Surroundings) {
    if let file = surroundings.certificates { curl_door_set_text(curl.door, easy, CURLOPT_CAINFO, file) }
    if let folder = surroundings.certificateFolder { curl_door_set_text(curl.door, easy, CURLOPT_CAPATH, folder) }
    guard looksIntoNetrc else { return }
    curl_door_set_long(curl.door, easy, CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    if let file = surroundings.netrc { curl_door_set_text(curl.door, easy, CURLOPT_NETRC_FILE, file) }
  }

  /// Whether `.netrc` is asked for a login for the next hop: only for a GET whose place no stranger chose and that
  /// brings no credentials of its own.
  var looksIntoNetrc: Bool {
    guard sink == nil, request.method == .get, isAtHome else { return false }
    switch request.redirects {
    case .sameOrigin, .nowhere(isOwnPlace: true):
      return request.token == nil && request.headers["Authorization"] == nil
    case .anywhere, .nowhere(isOwnPlace: false): return false
    }
  }

  /// Whether the next hop goes to the origin that was asked.
  private var isAtHome: Bool { address?.origin == firstOrigin }

  /// The next hop's URL as it goes out: with the token where it goes into the query.
  private var addressOnTheWire: String {
    guard case .query(let fields) = request.tokenPlace, let token = request.token, isAtHome else { return url }
    return Request.address(Request.address(url, without: fields, holding: token), fields.map { ($0, token.reveal()) })
  }

  private func setFields(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    for (name, value) in request.headers.fields where isAtHome || !Self.isCredential(name) {
      append(name, value, curl)
    }
    if case .header(let scheme) = request.tokenPlace, let token = request.token, isAtHome {
      append("Authorization", "\(scheme) \(token.reveal())", curl)
    }
    if sink != nil { append("Accept-Encoding", "identity", curl) }
    if request.method == .post { fields = curl_door_append(curl.door, fields, "Expect:") }
    curl_door_set_list(curl.door, easy, CURLOPT_HTTPHEADER, fields)
  }

  private static func isCredential(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }

  /// A line break within a field would begin another one: control characters are left out.
  private func append(_ name: String, _ value: String, _ curl: Curl) {
    let plain = { (text: String) in
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }
    let value = plain(value)
    let line = value.isEmpty ? "\(plain(name));" : "\(plain(name)): \(value)"
    fields = curl_door_append(curl.door, fields, line)
  }

  /// Frees the list of fields; the handle no longer uses it.
  func releaseFields(_ curl: Curl) {
    if let fields { curl_door_free_list(curl.door, fields) }
    fields = nil
  }

  /// A POST gets a connection of its own: on a reused one that died libcurl would send it a second time.
  private func setBody(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let body = request.body ?? []
    curl_door_set_long(curl.door, easy, CURLOPT_POST, 1)
    curl_door_set_long(curl.door, easy, CURLOPT_FRESH_CONNECT, 1)
    curl_door_set_size(curl.door, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    // Never NULL: for want of a body libcurl would read one from standard input.
    (body + [0]).withUnsafeBytes { curl_door_set_bytes(curl.door, easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
  }

  private func setCallbacks(_ easy: UnsafeMutableRawPointer, _ curl: Curl) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    curl_door_set_callback(curl.door, easy, CURLOPT_HEADERFUNCTION, takeHeader)
    curl_door_set_pointer(curl.door, easy, CURLOPT_HEADERDATA, this)
    curl_door_set_callback(curl.door, easy, CURLOPT_WRITEFUNCTION, takeBody)
    curl_door_set_pointer(curl.door, easy, CURLOPT_WRITEDATA, this)
    curl_door_set_start(curl.door, easy, takeStart)
    curl_door_set_pointer(curl.door, easy, CURLOPT_PREREQDATA, this)
  }
}

// libcurl calls these on the driver thread while the driver holds the transfer.

private func takeStart(
  _ transfer: UnsafeMutableRawPointer?, _ to: UnsafeMutablePointer<CChar>?, _ from: UnsafeMutablePointer<CChar>?,
  _ toPort: Int32, _ fromPort: Int32
) -> Int32 {
  guard let transfer, let to else { return CURL_PREREQFUNC_ABORT }
  let taken = Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue()
  guard taken.mayReach(String(cString: to)) else { return CURL_PREREQFUNC_ABORT }
  taken.beginAnswer()
  return CURL_PREREQFUNC_OK
}

private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveHeader(line) ? line.count : 0
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ transfer: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer else { return 0 }
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveBody(part) ? part.count : 0
}

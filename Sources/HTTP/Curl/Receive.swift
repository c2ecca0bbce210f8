extension Transfer {
  /// Receives a header or trailer line. All lines count towards the limit, including those of earlier answers and
  /// trailers, since libcurl stores every line.
  ///
  /// - Returns: false to end the transfer.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    lastActivity = .now
    headerBytes += line.count
    guard headerBytes <= Self.header.bytes, head.headers.fields.count < Self.header.fields else {
      failure = .tooLarge(limit: Self.header.bytes)
      return false
    }
    if headEnded || inBody { return true }
    let content = trimmed(line[...])
    if content.isEmpty { return endHead() }
    if line.starts(with: "HTTP/".utf8) {
      head.headers = Headers()
      head.status = content.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { Int(text($0)) } ?? 0
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      continueField(text(content))
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      head.headers.fields.append((name: text(content[..<colon]), value: text(trimmed(content[(colon + 1)...]))))
    }
    return true
  }

  /// Handles the end of a header, of the answer or of one before it. Returns false if the body has an encoding that was
  /// not asked for, or if its sink refuses it: then none of it is sent.
  ///
  /// libcurl decodes nested encodings, also those of earlier answers. A few kilobytes encoded three times keep it busy
  /// for hours without a byte that would be counted. Some of its versions also decode transfer codings.
  private func endHead() -> Bool {
    headEnded = head.status >= 200
    let isEncoded = codings(in: "Transfer-Encoding").contains { $0 != "chunked" && $0 != "identity" }
    let codings = codings(in: "Content-Encoding").filter(Self.codings.contains)
    if sink == nil || decodes { contentEncodingCount += codings.count }
    let isOther = sink != nil && decodes && isSuccess && !codings.allSatisfy(Self.codingsOfDownloads.contains)
    guard isEncoded || isOther || contentEncodingCount > (isDecoded ? 1 : 0) else {
      return sink != nil && isSuccess ? begin() : true
    }
    let reason = contentEncodingCount > 1 ? "it is compressed twice" : Self.encodedMessage
    failure = sink == nil ? .cut(host: host) : .sink(reason)
    return false
  }

  /// The content codings that change a body (RFC 9110, 8.4.1). Servers also name character sets there, or how a file
  /// once reached its store (`aws-chunked`). Such a body comes as it is.
  private static let codings: Set = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"]

  /// Those that a download may have: what stores and proxies put around pictures.
  private static let codingsOfDownloads: Set = ["gzip", "x-gzip", "br"]

  /// Whether the answer names a content coding that is none.
  var namesUnknownCoding: Bool {
    codings(in: "Content-Encoding").contains { $0 != "identity" && !Self.codings.contains($0) }
  }

  private func codings(in field: String) -> [String] {
    head.headers.all(field).flatMap { $0.lowercased().split { $0 == "," || $0.isWhitespace } }.map { String($0) }
  }

  private static let encodedMessage = "it comes encoded, which was not asked for"

  /// Appends a folded line (RFC 9112, 5.2) to the field before it, after one space.
  private func continueField(_ text: String) {
    guard !text.isEmpty, let last = head.headers.fields.indices.last else { return }
    head.headers.fields[last].value += " \(text)"
  }

  /// Receives bytes of the body, decompressed.
  ///
  /// - Returns: false to end the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    note(bytes.count)
    inBody = true
    if isRedirect || (sink != nil && !isSuccess) { return keepExplanation(bytes) }
    if !begun, !begin() { return false }
    received += bytes.count
    let limit = head.isDecoded ? min(request.limit, Self.longestDecoded) : request.limit
    guard received <= limit else {
      failure = .tooLarge(limit: limit)
      return false
    }
    guard let sink else {
      head.body.append(contentsOf: bytes)
      return true
    }
    do { try sink.write(bytes) } catch {
      failure = .sink("\(error)")
      return false
    }
    return true
  }

  /// Whether the status is 2xx.
  var isSuccess: Bool { (200..<300).contains(head.status) }

  /// Whether the answer redirects a GET, and the request allows redirects.
  var isRedirect: Bool {
    if case .nowhere = request.redirects { return false }
    return request.method == .get && [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  /// Passes the answer's head to the sink. Returns false if the body is refused.
  func begin() -> Bool {
    begun = true
    let announced = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
    if announced > request.limit {
      failure = .tooLarge(limit: request.limit)
      return false
    }
    guard let sink else {
      head.body.reserveCapacity(min(announced, 1 << 20))
      return true
    }
    if codings(in: "Content-Encoding").contains(where: Self.codings.contains) {
      guard decodes else {
        failure = .sink(Self.encodedMessage)
        return false
      }
      head.isDecoded = true
      head.headers["Content-Length"] = nil
    }
    endedEarly = !sink.begin(head)
    return !endedEarly
  }

  /// Keeps the beginning of a body that only explains a failure.
  private func keepExplanation(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = Self.explanation - head.body.count
    head.body.append(contentsOf: bytes.prefix(room))
    endedEarly = bytes.count > room
    return !endedEarly
  }
}

private typealias Bytes = Slice<UnsafeRawBufferPointer>

private func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

/// Trims white space and line breaks (RFC 9110, 5.6.3).
private func trimmed(_ bytes: Bytes) -> Bytes {
  let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return bytes.prefix(0) }
  return bytes[first...last]
}

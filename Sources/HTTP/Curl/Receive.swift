extension Transfer {
  /// Takes a line of the answer's header, or of what follows its body; false ends the transfer. All lines count, since
  /// libcurl keeps each of them: those of answers before the answer, and those after it.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    lastSign = .now
    headerBytes += line.count
    guard headerBytes <= Self.header.bytes, head.headers.fields.count < Self.header.fields else {
      failure = .tooLarge(limit: Self.header.bytes)
      return false
    }
    if headEnded || inBody { return true }
    let words = trimmed(line[...])
    if words.isEmpty { return endHead() }
    if line.starts(with: "HTTP/".utf8) {
      head.headers = Headers()
      head.status = words.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { Int(text($0)) } ?? 0
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      continueField(text(words))
    } else if let colon = words.firstIndex(of: UInt8(ascii: ":")) {
      head.headers.fields.append((name: text(words[..<colon]), value: text(trimmed(words[(colon + 1)...]))))
    }
    return true
  }

  /// The header is whole, of the answer or of one before it; false where its body is packed in a way nobody asked for.
  ///
  /// libcurl unpacks one packing within another, those of earlier answers too, and a few kilobytes packed three times
  /// keep it busy for hours without a byte that would be counted. Some of its versions also unpack a transfer's coding.
  private func endHead() -> Bool {
    headEnded = head.status >= 200
    let ways = { (name: String) in
      self.head.headers.all(name).flatMap { $0.lowercased().split { $0 == "," || $0.isWhitespace } }
    }
    let isPacked = ways("Transfer-Encoding").contains { $0 != "chunked" && $0 != "identity" }
    if sink == nil { packings += ways("Content-Encoding").count { $0 != "identity" } }
    guard isPacked || packings > 1 else { return true }
    failure = sink == nil ? .cut(host: host) : .sink(Self.packed)
    return false
  }

  private static let packed = "it comes encoded, which was not asked for"

  /// A folded field (RFC 9112, 5.2) goes on after one space.
  private func continueField(_ text: String) {
    guard !text.isEmpty, let last = head.headers.fields.indices.last else { return }
    head.headers.fields[last].value += " \(text)"
  }

  /// Takes bytes of the body, decompressed; false ends the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    note(bytes.count)
    inBody = true
    if isRedirect || (sink != nil && !isSuccess) { return explain(bytes) }
    if !begun, !begin() { return false }
    received += bytes.count
    guard received <= request.limit else {
      failure = .tooLarge(limit: request.limit)
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

  /// Whether the answer sends a GET elsewhere, and it may go.
  var isRedirect: Bool {
    if case .nowhere = request.redirects { return false }
    return request.method == .get && [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  /// Announces the answer to whoever takes its body; false refuses it.
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
    guard head.headers.all("Content-Encoding").allSatisfy({ $0.lowercased() == "identity" }) else {
      failure = .sink(Self.packed)
      return false
    }
    enough = !sink.begin(head)
    return !enough
  }

  /// Keeps the beginning of a body that nobody asked for.
  private func explain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = Self.explanation - head.body.count
    head.body.append(contentsOf: bytes.prefix(room))
    enough = bytes.count > room
    return !enough
  }
}

private typealias Bytes = Slice<UnsafeRawBufferPointer>

private func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

/// Without white space and line breaks around it (RFC 9110, 5.6.3).
private func trimmed(_ bytes: Bytes) -> Bytes {
  let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return bytes.prefix(0) }
  return bytes[first...last]
}

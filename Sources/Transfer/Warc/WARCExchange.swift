import HTTP
import Posts

/// A request and its answer as a WARC file has them: in the form of HTTP/1.1, without anything that lets somebody in.
struct WARCExchange {
  let request: Request
  let response: Response

  private static let secretFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie", "set-cookie2", "x-csrf-token", "dpop",
    "x-api-key",
  ]
  /// They describe the body as it was on the wire, not as it is kept.
  private static let wireFields: Set<String> = [
    "content-encoding", "transfer-encoding", "content-length", "connection",
  ]

  /// The address without the parameters that carry keys, and without user and password.
  static func address(_ text: String) -> String {
    let whole = text.prefix { $0 != "#" }
    let halves = whole.split(separator: "?", maxSplits: 1)
    let bare = withoutUser(String(halves.first ?? ""))
    guard halves.count == 2 else { return bare }
    let kept = halves[1].split(separator: "&").filter { part in !WebAddress.isKey(part.prefix { $0 != "=" }) }
    return kept.isEmpty ? bare : "\(bare)?\(kept.joined(separator: "&"))"
  }

  private static func withoutUser(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let rest = address[scheme.upperBound...]
    let host = rest.prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return address }
    return String(address[..<scheme.upperBound] + rest[rest.index(after: at)...])
  }

  /// The head of the request.
  var requestHead: [UInt8] {
    let address = Self.address(request.url)
    let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(host.count)
    let line = "\(request.method.rawValue) \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1"
    return head(line, [(name: "Host", value: String(host))] + kept(request.headers))
  }

  /// The head of the answer to a body of a length.
  func responseHead(byteCount: Int) -> [UInt8] {
    let fields = kept(response.headers).filter { !Self.wireFields.contains($0.name.lowercased()) }
    return head("HTTP/1.1 \(response.status) ", fields + [(name: "Content-Length", value: "\(byteCount)")])
  }

  /// The body, in which a repeated token is hidden.
  func body(_ bytes: [UInt8]) -> [UInt8] {
    guard let search = SecretSearch(request.token) else { return bytes }
    if bytes.first.map({ "{[".utf8.contains($0) }) == true { return search.hidden(inJSON: bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    return search.isPart(of: text) ? Array(search.hidden(in: text).utf8) : bytes
  }

  private func kept(_ headers: Headers) -> [(name: String, value: String)] {
    headers.fields.filter { field in
      !Self.secretFields.contains(field.name.lowercased())
        && (request.token.map { !$0.occurs(in: field.value) } ?? true)
    }.map { field in
      // Addresses stand in Location and Link.
      field.name.lowercased() == "location" ? (name: field.name, value: Self.address(field.value)) : field
    }
  }

  private func head(_ line: String, _ fields: [(name: String, value: String)]) -> [UInt8] {
    let lines = [line] + fields.map { "\($0.name): \($0.value)" }
    // A line end within a field would begin another field.
    let safe = lines.map { line in String(line.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : Character($0) }) }
    return Array((safe + ["", ""]).joined(separator: "\r\n").utf8)
  }
}

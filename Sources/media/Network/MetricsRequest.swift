import LibraryMetrics

/// What somebody asks an address of metrics for, read strictly (RFC 9112): one request without a body, for `/metrics`.
struct MetricsRequest: Equatable {
  /// The status of the answer (RFC 9110, 15).
  let status: Int
  /// Whether only the head of the answer is wanted.
  let isHead: Bool
  let form: MetricsForm

  /// The most bytes of a head, with the empty line at its end.
  static let mostBytes = 8192

  init(status: Int, isHead: Bool = false, form: MetricsForm = .prometheus) {
    (self.status, self.isHead, self.form) = (status, isHead, form)
  }

  /// - Parameters:
  ///   - head: The bytes up to the empty line, with it.
  ///   - authorities: What the field Host may say. A page of somebody else can have its own name resolve to this machine.
  init(head: [UInt8], authorities: Set<String>) {
    guard let (line, fields) = Self.lines(of: head), line.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(line[2]) else {
      self.init(status: 400)
      return
    }
    let hosts = fields.filter { $0.name == "host" }
    let hasBody = fields.contains { $0.name == "transfer-encoding" || $0.name == "content-length" && $0.value != "0" }
    guard !hasBody, hosts.count == 1 || hosts.isEmpty && line[2] == "HTTP/1.0" else {
      self.init(status: 400)
      return
    }
    let isHead = line[0] == "HEAD"
    let status =
      if let host = hosts.first, !authorities.contains(host.value.lowercased()) { 421 } else if line[1] != "/metrics" {
        404
      } else if !isHead, line[0] != "GET" { 405 } else { 200 }
    let accepted = fields.filter { $0.name == "accept" }.map(\.value).joined(separator: ",")
    self.init(status: status, isHead: isHead, form: MetricsForm(accepted: accepted))
  }

  private typealias Field = (name: String, value: String)

  /// The parts of the request line, and the fields with their names in lower case; nil if they are not of that form.
  private static func lines(of head: [UInt8]) -> (line: [Substring], fields: [Field])? {
    guard let text = String(validating: head, as: Unicode.ASCII.self), text.hasSuffix("\r\n\r\n"),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || "\r\n\t".unicodeScalars.contains($0) })
    else { return nil }
    let lines = text.dropLast().split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first, !lines.contains(where: { $0.unicodeScalars.contains { $0 == "\r" || $0 == "\n" } })
    else { return nil }
    var fields: [Field] = []
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        !line[..<colon].contains(where: { $0 == " " || $0 == "\t" })
      else { return nil }
      let value = line[line.index(after: colon)...].trimmingPrefix { $0 == " " || $0 == "\t" }
      fields.append((line[..<colon].lowercased(), String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())))
    }
    return (first.split(separator: " ", omittingEmptySubsequences: false), fields)
  }

  /// The bytes of the answer.
  ///
  /// - Parameter text: The metrics.
  func answer(_ text: (MetricsForm) -> String) -> [UInt8] {
    let body = status == 200 ? text(form) : "\(Self.reasons[status] ?? "")\n"
    let head = """
      HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r
      Content-Type: \(status == 200 ? form.contentType : "text/plain; charset=utf-8")\r
      Content-Length: \(body.utf8.count)\r
      Cache-Control: no-store\r
      X-Content-Type-Options: nosniff\r
      \(status == 405 ? "Allow: GET, HEAD\r\n" : "")Connection: close\r
      \r\n
      """
    return Array(head.utf8) + (isHead ? [] : Array(body.utf8))
  }

  private static let reasons = [
    200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    421: "Misdirected Request", 431: "Request Header Fields Too Large",
  ]
}

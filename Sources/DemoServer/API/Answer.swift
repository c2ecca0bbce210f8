import FoundationEssentials
import HTTPTypes
import Hummingbird
import Web

/// An error in Mastodon's format: `{"error": …}`, with a description where OAuth requires one.
struct Refusal: APIRefusal {
  let status: HTTPResponse.Status
  let error: String
  let detail: String?
  let headers: HTTPFields
  /// Whether the error is the whole body, as text.
  let isPlain: Bool

  init(
    _ status: HTTPResponse.Status, _ error: String, _ detail: String? = nil, headers: HTTPFields = [:],
    isPlain: Bool = false
  ) {
    (self.status, self.error, self.detail, self.headers) = (status, error, detail, headers)
    self.isPlain = isPlain
  }

  static let notFound = Refusal(.notFound, "Record not found")
  static let badToken = Refusal(
    .unauthorized,
    "The access token is invalid",
    headers: [.wwwAuthenticate: #"Bearer realm="demo", error="invalid_token""#]
  )
  /// Takahē's (`api/middleware.py`): it is neither 401 nor JSON.
  static let plainBadToken = Refusal(
    .badRequest, "Invalid Bearer token", headers: [.contentType: "text/html; charset=utf-8"], isPlain: true)
  /// Takahē's (`api/decorators.py`).
  static let outOfScope = Refusal(.forbidden, "out_of_scope_for_token")

  var answer: Response {
    var answer = isPlain ? Response(status: status, body: .init(byteBuffer: ByteBuffer(string: error))) : shaped
    for field in headers { answer.headers[field.name] = field.value }
    return answer
  }

  private var shaped: Response {
    let body: JSON = ["error": .text(error)]
    return Response(json: detail.map { body.adding(["error_description": .text($0)]) } ?? body, status: status)
  }
}

extension Response {
  init(json: JSON, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes))
    )
  }

  /// A page; nothing on it may run or be framed.
  init(html: HTML, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html.markup))
    )
  }
}

extension Request {
  /// The part after the question mark.
  var query: Fields { Fields(form: uri.query ?? "") }

  /// The query and the body together; the body is read to 64 KiB and no further.
  func fields() async throws -> Fields {
    guard method == .post || method == .put else { return query }
    let body = try await body.collect(upTo: 1 << 16)
    let type = headers[.contentType] ?? "application/x-www-form-urlencoded"
    guard let fields = Fields(body: Data(buffer: body), type: type) else {
      throw Refusal(.badRequest, "Error occurred while parsing request parameters")
    }
    return fields
  }
}

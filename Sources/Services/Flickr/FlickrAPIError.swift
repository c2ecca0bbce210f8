import HTTP
import JSONReading
import Posts

/// What an answer of Flickr says is wrong: `{"stat": "fail", "code": 100, "message": …}`, mostly with status 200.
struct FlickrAPIError {
  private let response: Response
  /// The code; nil if the answer is not an error in Flickr's form.
  let code: Int?
  private let reason: String?

  init(_ response: Response, hiding token: Secret?) {
    self.response = response
    // Pages are long, and hold no errors.
    let fields = response.body.count <= 64 << 10 ? JSONObject(response.body) : nil
    let failure = fields?.string("stat") == "fail" ? fields : nil
    code = failure.map { $0.text("code").flatMap(Int.init) ?? -1 }
    reason = failure?.string("message").flatMap { token?.occurs(in: $0) == true ? nil : $0 }
  }

  /// The error; nil if the answer may hold what was asked for. The codes below 95 are those of the method.
  func error(
    from server: Server, hasToken: Bool, what: String, missing: Set<Int>, time: TimeSource
  ) -> SourceError? {
    if let error = SourceError(response, from: server, hasToken: hasToken, what: what, reason: reason, time: time) {
      return error
    }
    guard let code else { return nil }
    let why = reason.map(Bounds.reason) ?? "no reason given"
    switch code {
    case 95...98, 100: return hasToken ? .tokenRefused(server) : .needsLogin(server)
    case 99: return hasToken ? .forbidden(server, reason: why) : .needsLogin(server)
    // The service, its search, or its writing is not available.
    case 0, 10, 105, 106: return .serverFailed(server, status: 503)
    case _ where missing.contains(code): return .notFound(server, what: what)
    default: return .unreadable(server, reason: "\(SourceError.quoting)\(why)")
    }
  }
}

import HTTPTypes
import Hummingbird

/// An error as servers of the AT Protocol write it (https://atproto.com/specs/xrpc).
struct BlueskyRefusal: Error {
  let status: HTTPResponse.Status
  let name: String
  let message: String

  static func invalid(_ message: String) -> BlueskyRefusal {
    BlueskyRefusal(status: .badRequest, name: "InvalidRequest", message: message)
  }

  static let noToken = BlueskyRefusal(
    status: .unauthorized, name: "AuthMissing", message: "Authentication Required")
  static let expired = BlueskyRefusal(status: .badRequest, name: "ExpiredToken", message: "Token has expired")
  static let badToken = BlueskyRefusal(
    status: .badRequest, name: "InvalidToken", message: "Token could not be verified")
  static let badProof = BlueskyRefusal(
    status: .unauthorized, name: "invalid_dpop_proof", message: "The DPoP proof does not fit")
  static let endedProof = BlueskyRefusal(
    status: .unauthorized, name: "invalid_token", message: "The token has expired")
  static let wantsNonce = BlueskyRefusal(
    status: .unauthorized, name: "use_dpop_nonce", message: "Resource server requires nonce in DPoP proof")
  static let badPassword = BlueskyRefusal(
    status: .unauthorized, name: "AuthenticationRequired", message: "Invalid identifier or password")
  static let wantsCode = BlueskyRefusal(
    status: .unauthorized, name: "AuthFactorTokenRequired",
    message: "A sign in code has been sent to your email address")

  var answer: Response { Response(json: ["error": .text(name), "message": .text(message)], status: status) }
}

/// The outermost middleware: counts the request, and formats every error as clients of this API expect.
struct BlueskyMiddleware: RouterMiddleware {
  let serverState: ServerState
  let proofs: BlueskyProofs

  func handle(
    _ request: Request,
    context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    let isAPI = request.uri.path.hasPrefix("/xrpc/")
    var answer: Response
    do {
      answer = try await next(request, context)
    } catch let refusal as BlueskyRefusal {
      answer = refusal.answer
      if request.headers[.proof] != nil, isAPI { answer.headers[.wwwAuthenticate] = "DPoP error=\"\(refusal.name)\"" }
    } catch let error as any HTTPResponseError {
      let status = error.status
      answer =
        isAPI
        ? BlueskyRefusal(status: status, name: "MethodNotImplemented", message: status.reasonPhrase).answer
        : DemoPage.error(status)
    }
    if isAPI { count(&answer) }
    if request.headers[.proof] != nil {
      answer.headers[.proofNonce] = proofs.nonce()
    }
    return answer
  }

  /// The limits are those of an address, whoever asks.
  private func count(_ answer: inout Response) {
    let state = serverState.rates.withLock { $0.count("", at: serverState.now()) }
    answer.headers[.plainRateLimit] = String(RateWindow.limit)
    answer.headers[.plainRateRemaining] = String(state.remaining)
    answer.headers[.plainRateReset] = String(Int(state.reset.timeIntervalSince1970))
    answer.headers[.ratePolicy] = "\(RateWindow.limit);w=300"
  }
}

extension HTTPField.Name {
  static let proof = Self("DPoP")!
  fileprivate static let proofNonce = Self("DPoP-Nonce")!
  fileprivate static let plainRateLimit = Self("RateLimit-Limit")!
  fileprivate static let plainRateRemaining = Self("RateLimit-Remaining")!
  fileprivate static let plainRateReset = Self("RateLimit-Reset")!
  fileprivate static let ratePolicy = Self("RateLimit-Policy")!
}

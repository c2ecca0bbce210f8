import HTTPTypes
import Hummingbird

/// An error in Misskey's form: most have the status 400, and a code that says which.
struct MisskeyRefusal: APIRefusal {
  let status: HTTPResponse.Status
  let code: String
  let message: String

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  static let badToken = MisskeyRefusal(
    .unauthorized, "AUTHENTICATION_FAILED", "Authentication failed. Please ensure your token is correct.")
  static let needsLogin = MisskeyRefusal(.unauthorized, "CREDENTIAL_REQUIRED", "Credential required.")
  static let signInRequired = MisskeyRefusal(.badRequest, "SIGNIN_REQUIRED", "Signin required.")
  static let noSuchNote = MisskeyRefusal(.badRequest, "NO_SUCH_NOTE", "No such note.")
  static let noSuchUser = MisskeyRefusal(.notFound, "NO_SUCH_USER", "No such user.")
  static let invalid = MisskeyRefusal(.badRequest, "INVALID_PARAM", "Invalid param.")
  static let noSearch = MisskeyRefusal(.badRequest, "UNAVAILABLE", "Search of notes unavailable.")
  static let internalError = MisskeyRefusal(.internalServerError, "INTERNAL_ERROR", "Internal error occurred.")

  var answer: Response {
    let kind = status == .internalServerError ? "server" : "client"
    return Response(
      json: ["error": ["message": .text(message), "code": .text(code), "kind": .text(kind)]], status: status)
  }
}

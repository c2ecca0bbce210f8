import HTTPTypes
import Hummingbird
import Login
import NIOHTTP1
import Posts
import Storage
import Web

/// An error that knows the status of its answer.
protocol HTTPAnswerable: ExplainedError {
  var status: HTTPResponse.Status { get }
}

/// Makes every error one sentence with the right status, as JSON under `/api/` and `/thumb/`, which
/// scripts read, else as a page.
struct ErrorAnswers: RouterMiddleware {
  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPParserError {
      // The rest of the connection cannot be read either: the server answers 400 and closes it.
      throw error
    } catch {
      return answer(to: request, Failure(error))
    }
  }

  private func answer(to request: Request, _ failure: Failure) -> Response {
    let path = request.uri.path
    var answer =
      ["/api/", "/thumb/"].contains(where: path.hasPrefix)
      ? Response(json: JSONMembers(present: ["error": failure.error, "cure": failure.cure]), status: failure.status)
      : Response(
        html: path.hasPrefix(ShareRoutes.prefix)
          ? SharePage.message(failure.title, failure.sentenceForFriends)
          : PageFrame.message(failure.title, failure.sentence), status: failure.status)
    for field in failure.headers { answer.headers[field.name] = field.value }
    return answer
  }
}

/// An error as its status and its words.
private struct Failure {
  let status: HTTPResponse.Status
  let error: String
  let cure: String?
  let headers: HTTPFields

  /// The reason of its status, written as other titles are: `Not found`, `URI too long`.
  var title: String {
    let words = status.reasonPhrase.split(separator: " ")
    return (words.prefix(1).map(String.init) + words.dropFirst().map { $0.lowercased() }).joined(separator: " ")
  }

  var sentence: String { cure.map { "\(error): \($0)" } ?? error }

  /// What a friend with a share's address is told: nothing of the library, and the same of whatever is not there.
  var sentenceForFriends: String {
    switch status {
    case .notFound: "There is nothing at this address any more."
    case .unauthorized, .tooManyRequests, .badRequest, .unprocessableContent: sentence
    default: "This cannot be shown now."
    }
  }

  private init(_ status: HTTPResponse.Status, _ error: String, cure: String? = nil, headers: HTTPFields = [:]) {
    (self.status, self.error, self.cure, self.headers) = (status, error, cure, headers)
  }

  init(_ error: any Error) {
    switch error {
    case let error as RequestError:
      self.init(error.status, error.summary, cure: error.cure, headers: error.headers)
    case is AccountsError, is GalleryError:
      // Their words name files of the person, and whoever asks may be a stranger.
      self.init(RequestError.noSignIns)
    case let error as any HTTPAnswerable:
      self.init(error.status, error.summary, cure: error.cure)
    case let error as any ExplainedError:
      self.init(Self.status(of: error), error.summary, cure: error.cure)
    case let error as any HTTPResponseError:
      let known: [HTTPResponse.Status: RequestError] = [.notFound: .nothingHere, .contentTooLarge: .longBody]
      self.init(error.status, known[error.status]?.summary ?? error.status.reasonPhrase.lowercased())
    default:
      self.init(.internalServerError, "the request failed")
    }
  }

  private static func status(of error: any ExplainedError) -> HTTPResponse.Status {
    if case StorageError.full = error { return HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage") }
    return switch error.exitCode {
    case .usage: .badRequest
    // An S3 service that is away, refuses the key, or is not set up.
    case .storage, .tryLater, .unavailable, .needsLogin, .configuration: .serviceUnavailable
    default: .internalServerError
    }
  }
}

import HTTPTypes
import Hummingbird
import Posts
import Web

/// The outermost middleware: every error becomes one sentence with the right status, as JSON under `/api/`, else as a page.
struct ErrorAnswers: RouterMiddleware {
  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      return answer(to: request, Failure(error))
    }
  }

  private func answer(to request: Request, _ failure: Failure) -> Response {
    guard request.uri.path.hasPrefix("/api/") else {
      return Response(html: Page.message(failure.status.reasonPhrase, failure.sentence), status: failure.status)
    }
    return Response(json: failure.answer, status: failure.status)
  }
}

/// An error as its status and its words.
private struct Failure {
  struct Answer: Encodable {
    let error: String
    let cure: String?
  }

  let status: HTTPResponse.Status
  let answer: Answer

  var sentence: String { answer.cure.map { "\(answer.error): \($0)" } ?? answer.error }

  init(_ error: any Error) {
    switch error {
    case let error as RequestError:
      (status, answer) = (error.status, Answer(error: error.summary, cure: error.cure))
    case let error as any ExplainedError:
      (status, answer) = (.internalServerError, Answer(error: error.summary, cure: error.cure))
    case let error as any HTTPResponseError:
      let known: RequestError? = error.status == .notFound ? .nothingHere : nil
      status = error.status
      answer = Answer(error: known?.summary ?? error.status.reasonPhrase.lowercased(), cure: nil)
    default:
      (status, answer) = (.internalServerError, Answer(error: "the request failed", cure: nil))
    }
  }
}

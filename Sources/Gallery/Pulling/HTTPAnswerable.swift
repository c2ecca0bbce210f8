import HTTPTypes
import Hummingbird
import Posts

/// An error that knows the status of its answer.
protocol HTTPAnswerable: ExplainedError {
  var status: HTTPResponse.Status { get }
}

/// An error as JSON.
private struct RefusalAnswer: Encodable {
  let error: String
  let cure: String?
}

extension HTTPAnswerable {
  /// The error as an answer to a request for JSON.
  var answer: Response { Response(json: RefusalAnswer(error: summary, cure: cure), status: status) }
}

extension RouterMethods where Context == GalleryContext {
  /// Adds a route for a write, whose errors are answered with their own status.
  func write(_ path: RouterPath, _ body: @escaping @Sendable (Request) async throws -> Response) {
    post(path) { request, _ in
      do { return try await body(request) } catch let error as any HTTPAnswerable { return error.answer }
    }
  }
}

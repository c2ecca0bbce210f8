import HTTP
import Posts

extension Transport {
  /// The answer of a server that a source asks, whatever its status.
  func answer(to request: Request, from server: Server) async throws(SourceError) -> Response {
    do { return try await send(request) } catch { throw SourceError(error, from: server) }
  }
}

extension Feed {
  /// What is missing if the server does not have it, as text for people.
  var label: String { "\(kind.rawValue) \(Bounds.reason(value))" }
}

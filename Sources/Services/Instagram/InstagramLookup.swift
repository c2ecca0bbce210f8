import HTTP
import JSONReading
import Posts

// Looks up posts by id, which the API returns one at a time.

extension InstagramSource {
  /// The number of requests sent before their results are stored.
  public var mostLookedUp: Int? { 20 }

  /// Looks up these posts. Posts that the server does not find are gone; posts of people who became private are not.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    var looked = LookupResult()
    for id in ids where ![".", ".."].contains(id) {
      do {
        let path = "media/\(Request.percentEncoded(id))"
        let answer = try await answer(to: path, [], "post \(Bounds.reason(id))")
        looked.append(try await item(in: answer.body), requested: [id])
      } catch {
        switch error {
        case .notFound: looked.gone.append(id)
        case .forbidden: break
        default: throw error
        }
      }
    }
    return looked
  }

  private func item(in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    let body = body.hiding(token)
    guard let range = (try? JSONSlices.member("data", in: body)) ?? nil else {
      throw .unreadable(server, reason: "it holds no post")
    }
    return try await items(at: [range], in: body)
  }
}

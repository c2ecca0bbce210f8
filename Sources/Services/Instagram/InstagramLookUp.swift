import HTTP
import JSONReading
import Posts

// Posts by their ids, which the API shows one at a time.

extension InstagramSource {
  /// So many requests are sent before what they brought is stored.
  public var mostLookedUp: Int? { 20 }

  /// What the server shows of these posts; gone are those that it does not find, and not those of people who have made
  /// theirs private.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp {
    var looked = LookedUp()
    for id in ids where ![".", ".."].contains(id) {
      do {
        let path = "media/\(Request.percentEncoded(id))"
        let answer = try await answer(to: path, [], "post \(Bounds.reason(id))")
        looked.take(try await item(in: answer.body), askedFor: [id])
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
    guard let place = (try? JSONSlices.member("data", in: body)) ?? nil else {
      throw .unreadable(server, reason: "it holds no post")
    }
    return try await items(at: [place], in: body)
  }
}

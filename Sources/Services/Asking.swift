import HTTP
import JSONReading
import Posts

// What every source does alike to ask a server and to name a feed.

extension Transport {
  /// A server's answer, whatever its status.
  func answer(to request: Request, from server: Server) async throws(SourceError) -> Response {
    do { return try await send(request) } catch { throw SourceError(error, from: server) }
  }
}

extension Feed {
  /// Its name in messages about its server.
  var label: String { "\(kind.rawValue) \(Bounds.reason(value))" }
}

extension JSONSlices {
  /// The ranges in a body of the elements of a list that is a member of one of its members, or that member itself.
  static func elements(
    ofMember member: String?, in outer: String, of body: [UInt8], most: Int = Bounds.posts
  ) throws(Fault) -> [Range<Int>] {
    guard let range = try self.member(outer, in: body) else { throw .object }
    return try elements(ofMember: member, in: Array(body[range]), most: most).map {
      $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound
    }
  }
}

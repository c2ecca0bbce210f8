import HTTP
import JSONReading
import Posts

// Looks up posts by id (https://docs.x.com/x-api/posts/lookup): the newest version of each, whichever version's id is
// requested. Missing posts are in `errors`, each with its reason.

extension XSource {
  /// The most ids X accepts at once.
  public var mostLookedUp: Int? { 100 }

  /// Looks up these posts. Posts that X does not find are gone; posts that it may not show are not.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    let ids = ids.filter { XPost.number($0) != nil }
    if ids.isEmpty { return LookupResult() }
    if isOlder.isSet { return try await older.lookUp(ids) }
    let query = [("ids", ids.joined(separator: ","))] + Self.fields
    let (response, error) = try await service.reply(to: "/2/tweets", query, "posts")
    let missing = (200..<300).contains(response.status) ? Self.missing(in: response.body) : [:]
    if let error, missing.isEmpty {
      guard case .notFound = error, service.lacksPath.isSet, !service.server.isX,
        let looked = try? await older.lookUp(ids)
      else { throw Task.isCancelled ? .cancelled : error }
      isOlder.set()
      return looked
    }
    var looked = LookupResult(gone: ids.filter { missing[$0] == .some(true) })
    if error == nil {
      looked.append(try await items(in: response.body, asked: ids.count, for: ids).items, requested: ids)
    }
    return looked
  }

  /// The ids with errors in an answer, and whether each was not found.
  private static func missing(in body: [UInt8]) -> [String: Bool] {
    guard let ranges = try? JSONSlices.elements(ofMember: "errors", in: body, most: 200) else { return [:] }
    let errors = ranges.compactMap { JSONObject(body, at: $0) }.map(XMissing.init)
    return Dictionary(errors.compactMap { apiError in apiError.id.map { ($0, apiError.isGone) } }) { $0 && $1 }
  }
}

extension XFirstSource {
  /// The most ids the API accepts at once.
  public var mostLookedUp: Int? { 100 }

  /// Looks up these posts. The server's list omits both hidden and deleted posts, so each missing post is requested by
  /// itself.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    let ids = ids.filter { XPost.number($0) != nil }
    if ids.isEmpty { return LookupResult() }
    let query = [("id", ids.joined(separator: ","))] + Self.fields
    let body = try await service.answer(to: "/1.1/statuses/lookup.json", query, "posts")
    var looked = LookupResult()
    looked.append(try await items(in: body, member: nil, asked: ids.count), requested: ids)
    for id in ids where !looked.shown.contains(where: { $0.id == id }) {
      do {
        let path = "/1.1/statuses/show.json"
        let body = try await service.answer(to: path, [("id", id)] + Self.fields, "post \(id)").hiding(service.token)
        looked.append(try await items(at: [body.indices], in: body), requested: [id])
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
}

/// Why one of several posts is not shown.
private struct XMissing {
  /// The post's id; nil if the error is about something else, such as an author.
  let id: String?
  let isGone: Bool

  init(_ fields: JSONObject) {
    let isOfPost = fields.string("resource_type").map { ["tweet", "post"].contains($0) } ?? true
    id = isOfPost ? fields.text("resource_id") ?? fields.text("value") : nil
    isGone = fields.string("type")?.hasSuffix("/problems/resource-not-found") == true
  }
}

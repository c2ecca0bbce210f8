import Foundation
import HTTP
import JSONReading
import Posts

// Posts by their ids (https://docs.x.com/x-api/posts/lookup): the newest version of each, whichever version's id is
// asked for. What is missing stands in `errors`, each with its reason.

extension XSource {
  /// As many as X takes at once.
  public var mostLookedUp: Int? { 100 }

  /// What X shows of these posts; gone are those that it does not find, and not those that it may not show.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp {
    let ids = ids.filter { XPost.number($0) != nil }
    if ids.isEmpty { return LookedUp() }
    if isOlder.isSet { return try await older.lookUp(ids) }
    let query = [("ids", ids.joined(separator: ","))] + Self.fields
    let (response, error) = try await house.reply(to: "/2/tweets", query, "posts")
    let missing = (200..<300).contains(response.status) ? Self.missing(in: response.body) : [:]
    if let error, missing.isEmpty {
      guard case .notFound = error, house.lacksPath.isSet, !house.server.isX,
        let looked = try? await older.lookUp(ids)
      else { throw Task.isCancelled ? .cancelled : error }
      isOlder.set()
      return looked
    }
    var looked = LookedUp(gone: ids.filter { missing[$0] == .some(true) })
    if error == nil { looked.take(try await items(in: response.body, asked: ids.count, for: ids).items, askedFor: ids) }
    return looked
  }

  /// The ids that an answer complains of, and whether they are not to be found.
  private static func missing(in body: [UInt8]) -> [String: Bool] {
    guard let places = try? JSONSlices.elements(ofMember: "errors", in: body, most: 200) else { return [:] }
    let complaints = places.compactMap { JSONObject(body, at: $0) }.map(XMissing.init)
    return Dictionary(complaints.compactMap { complaint in complaint.id.map { ($0, complaint.isGone) } }) { $0 && $1 }
  }
}

extension XFirstSource {
  /// As many as the API takes at once.
  public var mostLookedUp: Int? { 100 }

  /// What the server shows of these posts. Its list leaves out what it may not show as well as what is gone: one that is
  /// missing is asked for by itself.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp {
    let ids = ids.filter { XPost.number($0) != nil }
    if ids.isEmpty { return LookedUp() }
    let query = [("id", ids.joined(separator: ","))] + Self.fields
    let body = try await house.answer(to: "/1.1/statuses/lookup.json", query, "posts")
    var looked = LookedUp()
    looked.take(try await items(in: body, member: nil, asked: ids.count), askedFor: ids)
    for id in ids where !looked.shown.contains(where: { $0.id == id }) {
      do {
        let path = "/1.1/statuses/show.json"
        let body = try await house.answer(to: path, [("id", id)] + Self.fields, "post \(id)").hiding(house.token)
        looked.take(try await items(at: [body.indices], in: body), askedFor: [id])
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

/// Why one post of several is not shown.
private struct XMissing {
  /// The post's id; nil where the complaint is of something else, such as an author.
  let id: String?
  let isGone: Bool

  init(_ fields: JSONObject) {
    let isOfPost = fields.string("resource_type").map { ["tweet", "post"].contains($0) } ?? true
    id = isOfPost ? fields.text("resource_id") ?? fields.text("value") : nil
    isGone = fields.string("type")?.hasSuffix("/problems/resource-not-found") == true
  }
}

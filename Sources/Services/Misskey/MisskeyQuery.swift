import FoundationEssentials
import HTTP
import Posts

/// The parameters of a request. Those that are nil are not sent.
struct MisskeyQuery: Encodable {
  var tag, query, username, host, userId, noteId, untilId: String?
  var withRenotes, withReplies, withChannelNotes: Bool?
  var limit: Int?
}

extension Request {
  /// A request of Misskey's API, which takes its parameters as JSON and reads them alone.
  static func misskey(
    _ server: Server, _ path: String, _ query: MisskeyQuery = MisskeyQuery(), token: Secret? = nil
  ) -> Request {
    // Texts and numbers always encode.
    let body = (try? JSONEncoder().encode(query)).map { Array($0) } ?? Array("{}".utf8)
    let headers: Headers = ["Accept": "application/json", "Content-Type": "application/json"]
    var request = Request(.post, "\(server.origin)/api/\(path)", headers: headers, token: token, body: body)
    request.isSafePost = true
    return request
  }
}

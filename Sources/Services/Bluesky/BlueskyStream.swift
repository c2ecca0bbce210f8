import HTTP
import JSONReading
import Posts

extension PostStream {
  /// Jetstream (https://github.com/bluesky-social/jetstream), as plain JSON.
  static let bluesky = PostStream(
    address: { server, cursor in
      Request.address(
        "\(server.origin)/subscribe",
        [
          // Longer messages are not read. No post is as long.
          ("wantedCollections", BlueskyURI.collection), ("maxMessageSizeBytes", "1000000"), ("cursor", String(cursor)),
        ])
    }, event: { message, tags in StreamEvent(bluesky: message, wanting: tags) })
}

extension StreamEvent {
  fileprivate init?(bluesky message: [UInt8], wanting tags: Set<String>) {
    guard let fields = JSONObject(message), let time = fields.integer("time_us"), time > 0 else { return nil }
    self.init(
      time: Int64(time),
      change: fields.object("commit").flatMap { Self.change($0, of: fields.string("did") ?? "", wanting: tags) })
  }

  private static func change(_ commit: JSONObject, of did: String, wanting tags: Set<String>) -> Change? {
    guard commit.string("collection") == BlueskyURI.collection, let key = commit.string("rkey"),
      key.utf8.count <= 512, did.utf8.count <= 2048
    else { return nil }
    let uri = { BlueskyURI("at://\(did)/\(BlueskyURI.collection)/\(key)")?.text }
    switch commit.string("operation") {
    case "create":
      // Most posts have no tag. They are not read any further.
      guard let record = commit.object("record"), record.has("facets") || record.has("tags"),
        BlueskyRecord(record).tagNames.contains(where: tags.contains)
      else { return nil }
      return uri().map { .written(uri: $0) }
    case "update", "delete": return uri().map { .changed(uri: $0) }
    default: return nil
    }
  }
}

import JSONReading
import Posts

// What gallery-dl writes of a status: the API's answer, with one picture in each file's description.

extension DownloadReader {
  static let mastodon = DownloadReader(
    recognizes: { $0.string("instance") != nil && $0.has("uri") && $0.object("account") != nil }
  ) { files, raw in
    let fields = files[0]
    guard let server = server(fields) else {
      return PageItem(id: nil, content: .unreadable(reason: "it names no server"), raw: raw)
    }
    var status = MastodonStatus(fields)
    // The description of a post without files has none.
    let pictures = files.compactMap { $0.object("media").map(MastodonAttachment.init) }
    status.mediaAttachments = pictures
    if !status.reblog.isEmpty { status.reblog[0].mediaAttachments = pictures }
    return status.pageItem(on: server, raw: raw)
  }

  /// The instance, whose scheme only the addresses tell.
  private static func server(_ fields: JSONObject) -> Server? {
    guard let host = fields.string("instance") else { return nil }
    let plain = "http://\(host)"
    let addresses = [fields.string("uri"), fields.string("url"), fields.object("account")?.string("url")]
    return Server(addresses.contains { $0?.hasPrefix("\(plain)/") == true } ? plain : "https://\(host)")
  }
}

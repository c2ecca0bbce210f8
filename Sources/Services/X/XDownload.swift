import JSONReading
import Posts

// What gallery-dl writes of a post: https://github.com/mikf/gallery-dl, extractor/twitter.py.

extension DownloadReader {
  static let x = DownloadReader(recognizes: { $0.string("category") == "twitter" && $0.has("tweet_id") }) {
    files, raw in
    guard let server = Server.x else { return PageItem(id: nil, content: .unreadable(reason: "no server"), raw: raw) }
    let fields = files[0]
    var post = XPost(id: fields.text("tweet_id"), text: fields.string("content"), language: fields.string("lang"))
    post.createdAt = DownloadedPost.date(fields)
    post.sensitive = fields.bool("sensitive")
    post.tags = fields.list("hashtags", most: Bounds.tags).compactMap(\.string)
    post.author = (fields.object("author") ?? fields.object("user")).map {
      XUser(
        id: $0.text("id"), name: $0.string("name"), spokenName: $0.string("nick"), picture: $0.string("profile_image"),
        isProtected: $0.bool("protected"))
    }
    var item = post.pageItem(on: server, raw: raw)
    if case .post(var post) = item.content {
      post.attachments = files.map(attachment)
      item.content = .post(post)
    }
    return item
  }

  /// A photo's name is that of its address. Of a video, the program keeps no address.
  private static func attachment(_ file: JSONObject) -> Attachment {
    let kind = DownloadedPost.kind(file.string("extension"))
    let name = Bounds.word(file.string("filename"), bytes: Bounds.id)
    let address = name.map { "https://pbs.twimg.com/media/\($0).\(file.string("extension") ?? "jpg")" }
    let known = kind == .image && file.string("type") != "preview" ? Bounds.webAddress(address) : nil
    let width = file.number("width"), height = file.number("height")
    let photo = XFile(type: "photo", url: known, width: width, height: height).attachment
    return photo
      ?? Attachment(
        kind: kind, url: nil, width: Bounds.pixels(width), height: Bounds.pixels(height))
  }
}

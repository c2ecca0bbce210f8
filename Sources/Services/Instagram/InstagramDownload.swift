import JSONReading
import Posts

// What gallery-dl writes of a post: https://github.com/mikf/gallery-dl, extractor/instagram.py.

extension DownloadReader {
  static let instagram = DownloadReader(
    recognizes: { $0.string("category") == "instagram" && $0.has("post_shortcode") }
  ) { files, raw in
    let fields = files[0]
    let code = Bounds.word(fields.string("post_shortcode"), bytes: Bounds.id)
    let given = Bounds.webAddress(fields.string("post_url"))
    guard let address = given ?? Bounds.webAddress(code.map { "https://www.instagram.com/p/\($0)/" }) else {
      return PageItem(id: code, content: .unreadable(reason: "it has neither link nor id"), raw: raw)
    }
    guard let date = DownloadedPost.date(fields) else {
      return PageItem(id: code, content: .unreadable(reason: "it has no usable date"), raw: raw)
    }
    let post = Post(
      source: .instagram, uri: InstagramMedia.identity(address), url: address, server: .instagram,
      author: author(fields), createdAt: date,
      caption: Bounds.block(fields.string("description"), bytes: Bounds.caption) ?? "",
      visibility: InstagramUser.visibility(of: fields), tags: tags(fields), attachments: files.map(attachment))
    return PageItem(id: code, content: .post(post), raw: raw)
  }

  /// What instaloader writes of a post: an answer of Instagram's own pages, and when it was written.
  static let instaloader = DownloadReader(
    recognizes: { $0.object("instaloader") != nil && $0.object("node")?.has("shortcode") == true }
  ) { files, raw in
    let node = files[0].object("node")
    let code = Bounds.word(node?.string("shortcode"), bytes: Bounds.id)
    guard let node, let code, let address = Bounds.webAddress("https://www.instagram.com/p/\(code)/") else {
      return PageItem(id: code, content: .unreadable(reason: "it has neither link nor id"), raw: raw)
    }
    guard let date = node.moment("taken_at_timestamp") ?? node.moment("date") ?? node.moment("taken_at") else {
      return PageItem(id: code, content: .unreadable(reason: "it has no usable date"), raw: raw)
    }
    let edge = node.object("edge_media_to_caption")?.objects("edges", most: 1).first?.object("node")?.string("text")
    let caption = Bounds.block(edge ?? node.string("caption"), bytes: Bounds.caption) ?? ""
    let post = Post(
      source: .instagram, uri: InstagramMedia.identity(address), url: address, server: .instagram,
      author: node.object("owner").flatMap(author), createdAt: date, caption: caption,
      visibility: InstagramUser.visibility(of: files[0]), tags: CaptionTags.names(in: caption),
      attachments: files.indices.map { Attachment(kind: .file, url: nil, alt: alt(node, $0, of: files.count)) })
    return PageItem(id: code, content: .post(post), raw: raw)
  }

  /// What Instagram says that a picture shows, in the answers of its pages or of its app.
  private static func alt(_ node: JSONObject, _ index: Int, of count: Int) -> String? {
    let app = node.object("iphone_struct")
    let own = [node.instagramEdges, node.instagramCarousel].map { $0.dropFirst(index).first }
    let said = (own + (count == 1 ? [node, app] : [])).lazy.compactMap { $0?.string("accessibility_caption") }
    return Bounds.block(said.first)
  }

  private static func author(_ fields: JSONObject) -> Author? {
    guard let name = Bounds.word(fields.string("username"), bytes: Bounds.line) else { return nil }
    let handle = "\(name)@\(Server.instagram?.host ?? "")"
    return Author(
      uri: "acct:\(handle)", handle: handle,
      name: Bounds.line(fields.string("fullname") ?? fields.string("full_name")) ?? name)
  }

  private static func tags(_ fields: JSONObject) -> [String] {
    var seen: Set<String> = []
    return fields.list("tags", most: Bounds.tags).compactMap(\.string)
      .compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) }.filter { seen.insert($0).inserted }
  }

  /// Neither its number nor its address is the one that the APIs give: its place in the post identifies it.
  private static func attachment(_ file: JSONObject) -> Attachment {
    let isFilm = file.string("video_url") != nil
    return Attachment(
      kind: isFilm ? .video : .image, url: nil, width: Bounds.pixels(file.number("width")),
      height: Bounds.pixels(file.number("height")))
  }
}

extension JSONObject {
  /// The pictures and videos of a post that has several, as Instagram's pages or its app describe them.
  var instagramChildren: [JSONObject] { instagramEdges.isEmpty ? instagramCarousel : instagramEdges }

  fileprivate var instagramEdges: [JSONObject] {
    let edges = object("edge_sidecar_to_children")?.objects("edges", most: Bounds.attachments) ?? []
    return edges.map { $0.object("node") ?? $0 }
  }

  fileprivate var instagramCarousel: [JSONObject] {
    object("iphone_struct")?.objects("carousel_media", most: Bounds.attachments) ?? []
  }
}

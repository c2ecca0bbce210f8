import FoundationEssentials
import JSONReading
import Posts

// X's archive: documents that are JavaScript, `window.YTD.tweets.part0 = [`, and the files beside them.

extension ArchiveForm {
  static let x = ArchiveForm(
    "x", "an archive of X (Twitter)",
    layout: { path, head in
      XArchive.kind(of: path) != nil && head.starts(with: "window.YTD.".utf8) ? .array(member: nil) : nil
    },
    isAbout: {
      ["account.js", "manifest.js", "protected-history.js"].contains(fileName($0))
        || XArchive.isDocument($0, of: "note-tweet")
    },
    about: {
      About(
        owner: XArchive.owner($0), total: XArchive.total($0), visibility: XArchive.visibility($0),
        texts: XArchive.texts($0))
    }
  ) { element, origin in
    guard let outer = JSONObject(element) else { return unreadable(element) }
    // Until 2020 the post stood there by itself.
    let fields = outer.object("tweet") ?? outer
    if fields.string("full_text")?.hasPrefix("RT @") == true {
      return [.leftOut("reposts, of which only the beginning is known")]
    }
    return [XArchive.element(fields, element, origin)]
  }

  /// What twarc and others collect, one answer or one post a line.
  static let twarc = ArchiveForm(
    "twarc", "lines of JSON from the APIs of X, as twarc collects them",
    layout: { path, head in
      let start = String(decoding: head, as: UTF8.self)
      let isLines = [".jsonl", ".json", ".ndjson"].contains { path.hasSuffix($0) } && start.first == "{"
      let marks = ["\"edit_history_tweet_ids\"", "\"author_id\"", "\"retweet_count\"", "\"favorite_count\""]
      return isLines && marks.contains { start.contains($0) } ? .lines : nil
    }
  ) { line, _ in
    guard let fields = JSONObject(line), let server = Server.x else { return unreadable(line) }
    return XArchive.items(fields, line, on: server).map { .post(FoundPost($0)) }
  }
}

enum XArchive {
  /// The documents with posts: those that everybody saw, before 2022 under another name, those in communities, and those for
  /// a circle. Files lie in a folder named after each.
  private static let kinds = ["tweets", "tweet", "community-tweet", circle]
  private static let circle = "twitter-circle-tweet"

  /// Which document with posts a path is; nil if it is none.
  static func kind(of path: String) -> String? { kinds.first { isDocument(path, of: $0) } }

  /// Whether a path is a document of a kind, or a part of one.
  static func isDocument(_ path: String, of kind: String) -> Bool {
    let name = ArchiveForm.fileName(path)
    return name == "\(kind).js" || name.hasPrefix("\(kind)-part") && name.hasSuffix(".js")
  }

  /// The whole texts of long posts, of which other documents have the beginning (`note-tweet.js`).
  static func texts(_ document: [UInt8]) -> [LongText] {
    guard let start = document.firstIndex(of: UInt8(ascii: "[")) else { return [] }
    let list = Array(document[start...])
    let notes = ((try? JSONSlices.elements(of: list)) ?? []).compactMap {
      JSONObject(list, at: $0)?.object("noteTweet")
    }
    return notes.compactMap { note in
      guard let core = note.object("core"), let text = core.string("text") else { return nil }
      let entities = XEntities(core)
      return LongText(
        id: note.text("noteTweetId"), writtenAt: note.moment("createdAt"),
        text: XText.plain(text, links: entities.links),
        tags: entities.tags.compactMap { Bounds.word(Feed.tagName($0), bytes: Bounds.line) })
    }
  }

  /// The account whose archive it is (`account.js`).
  static func owner(_ document: [UInt8]) -> Author? {
    guard let start = document.firstIndex(of: UInt8(ascii: "[")), let server = Server.x,
      let range = (try? JSONSlices.elements(of: Array(document[start...]), most: 10))?.first,
      let account = JSONObject(Array(document[start...]), at: range)?.object("account")
    else { return nil }
    return XUser(
      id: account.text("accountId"), name: account.string("username"), spokenName: account.string("accountDisplayName")
    ).author(on: server)
  }

  /// Who may see the account's posts (`protected-history.js`); nil if it was not protected, or has been unprotected.
  static func visibility(_ document: [UInt8]) -> Visibility? {
    guard let start = document.firstIndex(of: UInt8(ascii: "[")) else { return nil }
    let list = Array(document[start...])
    let changes = ((try? JSONSlices.elements(of: list, most: 10_000)) ?? [])
      .compactMap { JSONObject(list, at: $0)?.object("protectedHistory") }
    let last = changes.max { $0.string("protectedAt") ?? "" < $1.string("protectedAt") ?? "" }
    return last?.string("action")?.lowercased() == "protect" ? .followers : nil
  }

  /// How many posts the archive says to hold (`manifest.js`).
  static func total(_ document: [UInt8]) -> Int? {
    guard let start = document.firstIndex(of: UInt8(ascii: "{")),
      let types = JSONObject(Array(document[start...]))?.object("dataTypes")
    else { return nil }
    let names: [StaticString] = ["tweets", "tweet", "communityTweet", "twitterCircleTweet"]
    let counts = names.compactMap { types.object($0) }.flatMap { $0.objects("files", most: 10_000) }
      .compactMap { $0.integer("count") ?? $0.string("count").flatMap { Int($0) } }.filter {
        (0..<1 << 40).contains($0)
      }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }

  static func element(_ fields: JSONObject, _ raw: [UInt8], _ origin: ArchiveForm.Origin) -> ArchiveForm.Element {
    guard let server = Server.x else {
      return .post(FoundPost(PageItem(id: nil, content: .unreadable(reason: ""), raw: raw)))
    }
    var item = XStatus(fields).pageItem(on: server, raw: raw)
    let listed = fields.object("extended_entities") ?? fields.object("entities")
    let media = (listed?.objects("media", most: Bounds.attachments) ?? []).map { ($0, XStatus.file($0).attachment) }
    let shown = media.compactMap { file, attachment in attachment.map { (file, $0) } }
    if case .post(var post) = item.content {
      post.author = post.author ?? origin.owner
      if let owner = origin.owner, let id = post.remoteID, let page = owner.url { post.url = "\(page)/status/\(id)" }
      post.attachments = shown.map(\.1)
      if kind(of: origin.document) == circle { post.visibility = .followers }
      item.content = .post(post)
    }
    let folder = "\((kind(of: origin.document) ?? "tweets").replacing("-", with: "_"))_media"
    let files = shown.map { path(of: $0, $1, in: folder, fields.text("id_str") ?? fields.text("id")) }
    return .post(FoundPost(item), files: files)
  }

  /// `tweets_media/<id of the post>-<name of the file>`. Of a video that is any of its variants.
  private static func path(
    of file: JSONObject, _ attachment: Attachment, in folder: String, _ id: String?
  ) -> ArchiveForm.File? {
    let films = file.object("video_info")?.objects("variants", most: Bounds.attachments).map { $0.string("url") } ?? []
    let addresses = attachment.kind == .image ? [file.string("media_url_https")] : [attachment.url] + films
    let names = addresses.compactMap { $0?.split(separator: "?").first?.split(separator: "/").last }
    guard let id, !names.isEmpty else { return nil }
    return ArchiveForm.File(paths: names.map { "\(folder)/\(id)-\($0)" }, beginnings: ["\(folder)/\(id)-"])
  }

  /// The posts of a line: a page of API v2, a post of v2 with what it refers to inside, or a post of API 1.1.
  static func items(_ fields: JSONObject, _ line: [UInt8], on server: Server) -> [PageItem] {
    if fields.has("data") {
      let includes = fields.object("includes").map { XIncludes($0) } ?? XIncludes()
      let posts = fields.list("data", most: Bounds.posts)
      let all = posts.isEmpty ? [fields.value("data")].compactMap(\.self) : posts
      return all.compactMap { value in
        value.object.map { XTweet($0).pageItem(with: includes, on: server, raw: Array(value.written)) }
      }
    }
    if fields.has("author_id") || fields.has("edit_history_tweet_ids") {
      return [XTweet(fields).pageItem(with: XIncludes(inside: fields), on: server, raw: line)]
    }
    return [XStatus(fields).pageItem(on: server, raw: line)]
  }
}

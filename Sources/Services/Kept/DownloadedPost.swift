import FoundationEssentials
import JSONReading
import Machine
import Posts

/// A post of a site that is no source of ours, from what a download program wrote of its files. The keys are those that
/// most of gallery-dl's extractors share.
public struct DownloadedPost {
  let fields: JSONObject

  init(_ fields: JSONObject) { self.fields = fields }

  /// The site, as the program calls it: gallery-dl's `category`, yt-dlp's `extractor_key`, instaloader's own.
  var site: String? {
    let site = fields.string("category") ?? fields.string("extractor_key") ?? fields.string("extractor")
    if site == nil, fields.object("instaloader") != nil { return "instagram" }
    return Bounds.word(site?.lowercased(), bytes: Bounds.id)
  }

  /// The post's id at its site.
  var id: String? {
    let keys: [StaticString] = ["tweet_id", "post_id", "post_shortcode", "id", "shortcode", "gallery_id", "image_id"]
    return (text(keys) ?? fields.object("node")?.string("shortcode")).flatMap { Bounds.word($0, bytes: Bounds.id) }
  }

  func pageItem(_ files: [JSONObject], changed: Date?, raw: [UInt8]) -> PageItem {
    // yt-dlp keeps when it asked for a video, and gives the file the time at which its server last changed it.
    pageItem(files, id, orDated: Self.isFilm(fields) ? fields.moment("epoch") ?? changed : nil, raw: raw)
  }

  /// What was just fetched has the date of its file if it has no other, and the address of its file if it has no id.
  func pageItem(_ files: [JSONObject], fetchedFrom addresses: [String?], changed: Date, raw: [UInt8]) -> PageItem {
    let file = addresses.lazy.compactMap { Bounds.webAddress($0) }.first
    return pageItem(files, id ?? file, at: id == nil ? file : nil, orDated: changed, raw: raw)
  }

  private func pageItem(
    _ files: [JSONObject], _ id: String?, at page: String? = nil, orDated date: Date?, raw: [UInt8]
  ) -> PageItem {
    guard let category = site, let id else {
      return PageItem(id: nil, content: .unreadable(reason: "it names neither site nor post"), raw: raw)
    }
    let told = text(["post_url", "webpage_url", "page_url", "permalink", "gallery_url"]).flatMap(Bounds.webAddress)
    let address = (told ?? page).map(Catalogue.canonicalPage)
    let known = Self.date(fields)
    guard let date = known ?? date else {
      return PageItem(id: "\(category) \(id)", content: .unreadable(reason: "it has no usable date"), raw: raw)
    }
    let post = Post(
      source: Catalogue.ofAddresses, uri: address ?? "urn:download:\(category):\(id)", url: address, remoteID: id,
      author: author(at: category), createdAt: date, isDated: known != nil, title: Bounds.line(fields.string("title")),
      caption: Bounds.block(text(["content", "description", "caption", "text"]), bytes: Bounds.caption) ?? "",
      sensitive: (fields.integer("age_limit") ?? 0) >= 18 || fields.bool("sensitive") ?? false, visibility: visibility,
      license: Bounds.license(text(["license_name", "license"])), tags: tags, attachments: files.map(Self.attachment))
    return PageItem(id: "\(category) \(id)", content: .post(post), raw: raw)
  }

  /// Who may see it: the site's word, of those that Misskey and its kin use, or what yt-dlp says of a video
  /// (https://github.com/yt-dlp/yt-dlp#output-template); nil if neither says it.
  var visibility: Visibility? {
    if fields.text("visibility") != nil { return Visibility(ofStatus: fields) }
    guard let availability = fields.string("availability") else { return nil }
    return switch availability {
    case "public", "unlisted": Visibility(stored: availability)
    case "needs_auth", "premium_only", "subscriber_only": .followers
    default: .direct
    }
  }

  /// `2024-02-29 12:30:00`, which is UTC, or any form that APIs use.
  static func date(_ fields: JSONObject) -> Date? {
    if let text = fields.string("date") {
      let parts = text.split(separator: " ")
      if parts.count == 2, let date = UTC.date("\(parts[0])T\(parts[1])Z") { return date }
    }
    // yt-dlp knows of some videos only the day.
    if fields.moment("timestamp") == nil, let day = fields.string("upload_date"), day.utf8.count == 8 {
      return UTC.date("\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))T00:00:00Z")
    }
    return fields.moment("date") ?? fields.moment("created_at") ?? fields.moment("timestamp")
      ?? fields.moment("post_date")
  }

  private func author(at category: String) -> Author? {
    let keys: [StaticString] = ["author", "user", "account", "artist", "uploader", "creator"]
    let given = keys.lazy.compactMap { fields.value($0) }.first { $0.object != nil || $0.string != nil }
    let person = given?.object
    let name =
      person.flatMap { person in
        let names: [StaticString] = ["username", "account", "acct", "name", "id"]
        return names.lazy.compactMap { person.text($0) }.first
      } ?? given?.string ?? fields.string("username")
    guard let name = Bounds.line(name) else { return nil }
    let spoken = person.flatMap { $0.string("nick") ?? $0.string("display_name") ?? $0.string("name") }
    let handle = "\(name.replacing(" ", with: "_"))@\(category)"
    return Author(
      uri: "acct:\(handle)", handle: handle, name: Bounds.line(spoken ?? fields.string("fullname")) ?? name,
      url: person.flatMap { Bounds.webAddress($0.string("url")) })
  }

  /// All tags: an array of words or objects, a text of words, or several lists by kind.
  private var tags: [String] {
    let keys: [StaticString] = [
      "tags", "hashtags", "tags_general", "tags_artist", "tags_character", "tags_copyright", "tags_meta",
      "tags_species", "tag_string",
    ]
    var seen: Set<String> = []
    return keys.flatMap { Self.tags(fields.value($0)) }
      .compactMap { Bounds.word(Feed.tagName($0).replacing(" ", with: "_"), bytes: Bounds.line) }
      .filter { seen.insert($0).inserted }
  }

  private static func tags(_ value: JSONValue?) -> [String] {
    if let text = value?.string {
      let separators: Set<Character> = text.contains(",") ? [","] : [" "]
      return text.split { separators.contains($0) }.prefix(Bounds.tags).map { String($0) }
    }
    return (value?.elements(most: Bounds.tags) ?? []).compactMap { $0.string ?? $0.object?.string("name") }
  }

  /// Whether yt-dlp wrote it.
  private static func isFilm(_ file: JSONObject) -> Bool { file.has("extractor_key") || file.has("extractor") }

  /// A file with the address from which it came, if the program kept it.
  static func attachment(_ file: JSONObject) -> Attachment {
    let keys: [StaticString] = ["file_url", "media_url", "image_url", "url"]
    // The addresses of videos are good for hours.
    let address = isFilm(file) ? nil : keys.lazy.compactMap { Bounds.webAddress(file.string($0)) }.first
    return Attachment(
      kind: kind(file.string("extension") ?? file.string("ext")), url: address, alt: Bounds.block(file.string("alt")),
      width: Bounds.pixels(file.number("width")), height: Bounds.pixels(file.number("height")))
  }

  /// The kind of a file, by the ending of its name without the dot.
  public static func kind(_ ending: String?) -> Attachment.Kind { ending.flatMap { endings[$0.lowercased()] } ?? .file }

  /// The kind of a file, by its path.
  public static func kind(ofFile path: String) -> Attachment.Kind {
    kind(PathText.fileExtension(of: PathText.name(of: path)))
  }

  /// Kinds by the endings of files' names, also of forms that are kept and not drawn.
  public static let endings: [String: Attachment.Kind] = [
    "jpg": .image, "jpeg": .image, "jpe": .image, "jfif": .image, "png": .image, "apng": .image, "webp": .image,
    "gif": .image, "avif": .image, "heic": .image, "heif": .image, "jxl": .image, "bmp": .image, "tif": .image,
    "tiff": .image, "jp2": .image, "j2k": .image, "jpx": .image, "ico": .image,
    "mp4": .video, "webm": .video, "mov": .video, "mkv": .video, "m4v": .video, "avi": .video, "flv": .video,
    "mpg": .video, "mpeg": .video, "ogv": .video, "wmv": .video, "3gp": .video,
    "f4v": .video, "ts": .video, "mts": .video, "m2ts": .video,
    "mp3": .audio, "m4a": .audio, "ogg": .audio, "oga": .audio, "opus": .audio, "wav": .audio, "flac": .audio,
    "aac": .audio, "wma": .audio, "mka": .audio, "weba": .audio,
  ]

  private func text(_ keys: [StaticString]) -> String? {
    keys.lazy.compactMap { fields.text($0) }.first { !$0.isEmpty }
  }
}

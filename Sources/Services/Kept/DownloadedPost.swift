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

  /// The post's id at its site. Some sites know a file by its name, with blanks in it.
  var id: String? {
    let keys: [StaticString] = ["tweet_id", "post_id", "post_shortcode", "id", "shortcode", "gallery_id", "image_id"]
    return (text(keys) ?? fields.object("node")?.string("shortcode")).flatMap { id in
      // A part of an id would be another post's.
      id.utf8.count <= Bounds.id ? Bounds.line(id) : nil
    }
  }

  /// The post's page.
  var page: String? {
    text(["post_url", "webpage_url", "page_url", "permalink", "gallery_url"]).flatMap(Bounds.webAddress)
  }

  /// - Parameter name: What names a post without id and page.
  func pageItem(_ files: [JSONObject], named name: String?, changed: Date?, raw: [UInt8]) -> PageItem {
    // yt-dlp keeps when it asked for a video. Files have the time at which their server last changed them.
    pageItem(files, id ?? page ?? name, orDated: fields.moment("epoch") ?? changed, raw: raw)
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
    let address = (self.page ?? page).map(Catalogue.canonicalPage)
    // An identity has no blanks.
    let name = id.split(whereSeparator: \.isWhitespace).joined(separator: "%20")
    let known = Self.date(fields)
    guard let date = known ?? date else {
      return PageItem(id: "\(category) \(id)", content: .unreadable(reason: "it has no usable date"), raw: raw)
    }
    let post = Post(
      source: Catalogue.ofAddresses, uri: address ?? "urn:download:\(category):\(name)", url: address, remoteID: id,
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

  /// When the post was written, in any form that APIs and download programs use.
  static func date(_ fields: JSONObject) -> Date? {
    // yt-dlp knows of some videos only the day.
    let uploaded = fields.moment("timestamp") == nil ? day(fields.string("upload_date")) : nil
    let keys: [StaticString] = ["date", "created_at", "timestamp", "post_date", "release_timestamp"]
    return written(fields.string("date")) ?? uploaded
      ?? keys.lazy.compactMap { fields.moment($0) ?? written(fields.string($0)) }.first
      ?? day(fields.string("release_date"))
  }

  /// `2024-02-29 12:30:00`, which is UTC, or the day alone.
  private static func written(_ text: String?) -> Date? {
    guard let parts = text?.split(separator: " "), (1...2).contains(parts.count) else { return nil }
    return UTC.date("\(parts[0])T\(parts.count > 1 ? parts[1] : "00:00:00")Z")
  }

  /// `20240229`
  private static func day(_ text: String?) -> Date? {
    guard let text, text.utf8.count == 8 else { return nil }
    return written("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
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

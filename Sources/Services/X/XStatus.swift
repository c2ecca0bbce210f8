import Foundation
import Posts

// The answers of API 1.1 in its extended mode. Every field is optional.

/// A post, or somebody's repetition of one.
struct XStatus: Decodable {
  private var post = XPost()
  /// The post that this one repeats, if any; what that one might repeat in turn is not read.
  private var repeated: [XStatus] = []

  private enum Key: String, CodingKey {
    case id, text, lang, user, entities
    case idText = "id_str"
    case fullText = "full_text"
    case createdAt = "created_at"
    case sensitive = "possibly_sensitive"
    case more = "extended_entities"
    case repeated = "retweeted_status"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    post.id = fields.lossy(.idText) ?? fields.text(.id)
    post.text = fields.lossy(.fullText) ?? fields.lossy(.text)
    post.language = fields.lossy(.lang)
    post.createdAt = fields.lossy(.createdAt, as: String.self).flatMap(Self.date)
    post.sensitive = fields.truth(.sensitive)
    post.author = fields.lossy(.user, as: User.self)?.user
    let entities = fields.lossy(.entities, as: XEntities.self)
    post.tags = entities?.tags ?? []
    post.links = entities?.links ?? [:]
    // `entities` holds the first file alone.
    let files = fields.lossy(.more, as: Files.self) ?? fields.lossy(.entities, as: Files.self)
    post.files = files?.media.map(\.file) ?? []
    for link in files?.media.compactMap(\.link) ?? [] { post.links[link] = .some(nil) }
    repeated = decoder.codingPath.isEmpty ? [fields.lossy(.repeated)].compactMap { $0 } : []
  }

  /// The post as a place of a page of `server`.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    var item = (repeated.first ?? self).post.pageItem(on: server, raw: raw)
    guard !repeated.isEmpty else { return item }
    item.id = post.id.flatMap { XPost.number($0) == nil ? nil : $0 }
    if let by = post.author?.author(on: server), let at = post.createdAt ?? item.post?.createdAt {
      item.repetition = Repetition(by: by, at: at)
    }
    return item
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Wed Aug 27 13:08:45 +0000 2008`.
  private static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ")
    guard text.utf8.count <= 40, words.count == 6 else { return nil }
    if words[4] == "+0000", let month = months.firstIndex(of: String(words[1])) {
      let digits = month < 9 ? "0\(month + 1)" : "\(month + 1)"
      if let date = UTC.date("\(words[5])-\(digits)-\(words[2])T\(words[3])Z") { return date }
    }
    return FeedDate.read("\(words[2]) \(words[1]) \(words[5]) \(words[3]) \(words[4])")
  }

  private struct User: Decodable {
    var user: XUser

    private enum Key: String, CodingKey {
      case id, name
      case idText = "id_str"
      case username = "screen_name"
      case picture = "profile_image_url_https"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      user = XUser(
        id: fields.lossy(.idText) ?? fields.text(.id), name: fields.lossy(.username), spokenName: fields.lossy(.name),
        picture: fields.lossy(.picture))
    }
  }

  private struct Files: Decodable {
    var media: [File]

    private enum Key: String, CodingKey { case media }

    init(from decoder: any Decoder) throws {
      media = try decoder.container(keyedBy: Key.self).list(.media, most: Bounds.attachments)
    }
  }

  private struct File: Decodable {
    var file: XFile
    var link: String?

    private enum Key: String, CodingKey {
      case id, type, url, info = "original_info", films = "video_info", variants, width, height
      case idText = "id_str"
      case place = "media_url_https"
      case alt = "ext_alt_text"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      let size = fields.object(.info)
      let films = fields.object(.films)
      let place: String? = fields.lossy(.place)
      link = fields.lossy(.url)
      file = XFile(
        id: fields.lossy(.idText) ?? fields.text(.id), type: fields.lossy(.type), url: place, preview: place,
        alt: fields.lossy(.alt), width: size?.lossy(.width), height: size?.lossy(.height),
        films: films?.list(.variants, most: Bounds.attachments) ?? [])
    }
  }
}

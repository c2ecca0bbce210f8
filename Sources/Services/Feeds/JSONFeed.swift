import Foundation
import Markup
import Posts

/// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
enum JSONFeed {
  typealias Fault = FeedDocument.Fault

  /// Reads a document in UTF-8.
  static func read(_ text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    let places: [Range<Int>]
    do {
      places = try JSONSlices.elements(ofMember: "items", in: text)
    } catch {
      throw Fault(reason: words(for: error, text))
    }
    guard let head = try? JSONDecoder().decode(Head.self, from: frame(of: places, in: text)), head.isFeed else {
      throw Fault(reason: "it is no feed")
    }
    var document = FeedDocument()
    document.title = Bounds.line(head.title)
    document.home = FeedAddress.resolve(head.home, against: address)
    document.icon = FeedAddress.resolve(head.icon ?? head.favicon, against: address)
    document.language = head.language
    document.next = FeedAddress.resolve(head.next, against: address)
    let decoder = JSONDecoder()
    document.read(places) { document, place in
      let raw = text[place]
      let item = raw.count <= Bounds.post ? decoder.value(Item.self, of: Array(raw)) : nil
      var entry =
        item?.entry(raw: raw, home: document.home ?? address) ?? FeedEntry(base: address, raw: raw, isBroken: true)
      if item != nil { entry.author = entry.author ?? head.author }
      return entry
    }
    return document
  }

  /// The document without its items: what stands around them, however many they are, is little.
  private static func frame(of items: [Range<Int>], in text: [UInt8]) -> Data {
    guard let first = items.first, let last = items.last else { return Data(text) }
    return Data(text[..<first.lowerBound]) + Data(text[last.upperBound...])
  }

  private static func words(for fault: JSONSlices.Fault, _ text: [UInt8]) -> String {
    switch fault {
    case .truncated: "it breaks off"
    default:
      (try? JSONDecoder().decode(Complaint.self, from: Data(text.prefix(64 << 10))))?.error
        .map { "it says: \(Bounds.reason($0))" } ?? "it is no feed"
    }
  }

  private struct Complaint: Decodable { var error: String? }

  private struct Head: Decodable {
    var version, title, home, icon, favicon, next, language: String?
    var people: [Person]

    var isFeed: Bool { version?.contains("jsonfeed.org/version/") == true || title != nil }
    var author: FeedEntry.Person? { people.first?.person }

    private enum Key: String, CodingKey {
      case version, title, icon, favicon, language, authors, author
      case home = "home_page_url"
      case next = "next_url"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      version = fields.lossy(.version)
      title = fields.lossy(.title)
      home = fields.lossy(.home)
      icon = fields.lossy(.icon)
      favicon = fields.lossy(.favicon)
      next = fields.lossy(.next)
      language = fields.lossy(.language)
      people = fields.list(.authors, most: 1) + [fields.lossy(.author)].compactMap { $0 }
    }
  }

  private struct Person: Decodable {
    var name, url, avatar: String?

    private enum Key: String, CodingKey { case name, url, avatar }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      name = fields.lossy(.name)
      url = fields.lossy(.url)
      avatar = fields.lossy(.avatar)
    }

    var person: FeedEntry.Person? {
      name == nil && url == nil
        ? nil : FeedEntry.Person(name: name, address: Bounds.webAddress(url), avatar: Bounds.webAddress(avatar))
    }
  }

  private struct File: Decodable {
    var url, type, title: String?
    var bytes: Double?

    private enum Key: String, CodingKey {
      case url, title
      case type = "mime_type"
      case bytes = "size_in_bytes"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      url = fields.lossy(.url)
      type = fields.lossy(.type)
      title = fields.lossy(.title)
      bytes = fields.lossy(.bytes)
    }
  }

  private struct Item: Decodable {
    var id, url, title, html, text, summary, image, banner, published, modified, language: String?
    var tags: [String]
    var people: [Person]
    var files: [File]

    private enum Key: String, CodingKey {
      case id, url, title, summary, image, tags, authors, author, attachments, language
      case html = "content_html"
      case text = "content_text"
      case banner = "banner_image"
      case published = "date_published"
      case modified = "date_modified"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      id = fields.text(.id)
      url = fields.lossy(.url)
      title = fields.lossy(.title)
      html = fields.lossy(.html)
      text = fields.lossy(.text)
      summary = fields.lossy(.summary)
      image = fields.lossy(.image)
      banner = fields.lossy(.banner)
      published = fields.lossy(.published)
      modified = fields.lossy(.modified)
      language = fields.lossy(.language)
      tags = fields.list(.tags, most: Bounds.tags)
      people = fields.list(.authors, most: 1) + [fields.lossy(.author)].compactMap { $0 }
      files = fields.list(.attachments, most: Bounds.attachments)
    }

    func entry(raw: ArraySlice<UInt8>, home: String) -> FeedEntry {
      let link = FeedAddress.resolve(url, against: home) ?? Bounds.webAddress(id)
      var entry = FeedEntry(base: link ?? home, raw: raw)
      entry.id = id
      entry.link = link
      entry.title = Bounds.line(title, bytes: Bounds.block)
      entry.html = html ?? (text ?? summary).map(XMLElement.escaped)
      (entry.published, entry.updated) = (FeedDate.read(published), FeedDate.read(modified))
      entry.dateText = [published, modified].compactMap { $0 }.joined(separator: " ")
      entry.author = people.first?.person
      entry.tags = tags
      entry.language = language
      entry.media = files.compactMap { file in
        FeedAddress.resolve(file.url, against: home).map {
          FeedMedia(
            kind: FeedMedia.kind(medium: nil, type: file.type, url: $0), url: $0, alt: file.title,
            bytes: file.bytes.flatMap { Int(exactly: $0.rounded()) })
        }
      }
      entry.media += [image ?? banner].compactMap { FeedAddress.resolve($0, against: home) }
        .map { FeedMedia(kind: .image, url: $0) }
      return entry
    }
  }
}

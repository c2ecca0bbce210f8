import FoundationEssentials
import JSONReading
import Posts

/// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
enum JSONFeed {
  typealias Fault = FeedDocument.Fault

  /// Reads a document in UTF-8.
  static func read(_ text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    let ranges: [Range<Int>]
    do {
      ranges = try JSONSlices.elements(ofMember: "items", in: text)
    } catch {
      throw Fault(reason: message(for: error, text))
    }
    guard let head = JSONObject(text).map(Head.init), head.isFeed else {
      throw Fault(reason: "it is not a feed")
    }
    var document = FeedDocument()
    document.hasUniqueIDs = true
    document.title = Bounds.line(head.title)
    document.home = FeedAddress.resolve(head.home, against: address)
    document.icon = FeedAddress.resolve(head.icon ?? head.favicon, against: address)
    document.language = head.language
    document.next = FeedAddress.resolve(head.next, against: address)
    document.read(ranges) { document, range in
      var raw = text[range]
      let isShortened = raw.count > Bounds.item
      if raw.count > Bounds.item, let short = LongItem.shortened(Array(raw), at: isQuote) {
        raw = short[...]
      }
      let item = raw.count <= Bounds.item ? JSONObject(Array(raw)).map(Item.init) : nil
      var entry =
        item?.entry(raw: raw, home: document.home ?? address) ?? FeedEntry(base: address, raw: raw, isBroken: true)
      if item != nil { entry.author = entry.author ?? head.author }
      entry.isShortened = isShortened
      return entry
    }
    return document
  }

  static func isQuote(_ item: [UInt8], at index: Int) -> Bool {
    guard item[index] == UInt8(ascii: "\"") else { return false }
    return item[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 0
  }

  private static func message(for fault: JSONSlices.Fault, _ text: [UInt8]) -> String {
    switch fault {
    case .truncated: "it breaks off"
    default:
      JSONObject(Array(text.prefix(64 << 10)))?.string("error")
        .map { "it says: \(Bounds.reason($0))" } ?? "it is not a feed"
    }
  }

  private struct Head {
    var version, title, home, icon, favicon, next, language: String?
    var people: [Person]

    var isFeed: Bool { version?.contains("jsonfeed.org/version/") == true || title != nil }
    var author: FeedEntry.Person? { people.first?.person }

    init(_ fields: JSONObject) {
      version = fields.string("version")
      title = fields.string("title")
      home = fields.string("home_page_url")
      icon = fields.string("icon")
      favicon = fields.string("favicon")
      next = fields.string("next_url")
      language = fields.string("language")
      people = Person.all(in: fields)
    }
  }

  private struct Person {
    var name, url, avatar: String?

    init(_ fields: JSONObject) {
      name = fields.string("name")
      url = fields.string("url")
      avatar = fields.string("avatar")
    }

    /// The first of the authors, and the one author of version 1.0.
    static func all(in fields: JSONObject) -> [Person] {
      (fields.objects("authors", most: 1) + [fields.object("author")].compactMap { $0 }).map(Person.init)
    }

    var person: FeedEntry.Person? {
      name == nil && url == nil
        ? nil : FeedEntry.Person(name: name, address: Bounds.webAddress(url), avatar: Bounds.webAddress(avatar))
    }
  }

  private struct File {
    var url, type, title: String?
    var bytes: Double?

    init(_ fields: JSONObject) {
      url = fields.string("url")
      type = fields.string("mime_type")
      title = fields.string("title")
      bytes = fields.number("size_in_bytes")
    }
  }

  private struct Item {
    var id, url, title, html, text, summary, image, banner, published, modified, language: String?
    var tags: [String]
    var people: [Person]
    var files: [File]

    init(_ fields: JSONObject) {
      id = fields.text("id")
      url = fields.string("url")
      title = fields.string("title")
      html = fields.string("content_html")
      text = fields.string("content_text")
      summary = fields.string("summary")
      image = fields.string("image")
      banner = fields.string("banner_image")
      published = fields.text("date_published")
      modified = fields.text("date_modified")
      language = fields.string("language")
      tags = fields.list("tags", most: Bounds.tags).compactMap(\.string)
      people = Person.all(in: fields)
      files = fields.objects("attachments", most: Bounds.attachments).map(File.init)
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
            kind: .of(name: nil, mediaType: file.type, addresses: [$0]), url: $0, alt: file.title,
            bytes: file.bytes.flatMap { Int(exactly: $0.rounded()) })
        }
      }
      entry.media += [image ?? banner].compactMap { FeedAddress.resolve($0, against: home) }
        .map { FeedMedia(kind: .image, url: $0) }
      return entry
    }
  }
}

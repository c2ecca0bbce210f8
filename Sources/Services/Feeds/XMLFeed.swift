import FoundationEssentials
import Machine
import Markup

/// Reads RSS 2.0 and its predecessors, RSS 1.0 and Atom, with Media RSS.
enum XMLFeed {
  typealias Fault = FeedDocument.Fault

  /// Reads a document in UTF-8.
  ///
  /// The head and each item are parsed separately, so that a fault affects only its own part.
  static func read(_ text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    var tidy = XMLTidy.read(text)
    let isFeed = ["rss", "rdf", "feed"].contains(tidy.root.split(separator: ":").last ?? "")
    if !isFeed, tidy.root == "html" || isPage(text) { throw Fault(reason: "it is a web page", isPage: true) }
    if let fault = tidy.fault { throw Fault(reason: fault) }
    guard isFeed else { throw Fault(reason: "it is not a feed") }
    guard tidy.isWhole else { throw Fault(reason: "it breaks off") }
    let head = XMLReading(tidy.bytes)
    if head.fault == .noParser { throw Fault(reason: SystemLibrary.missing("libxml2.so.2")) }
    var document = document(head, &tidy, text, at: address)
    document.hasUniqueIDs = tidy.root.split(separator: ":").last == "feed"
    let isReadable = tidy.items.isEmpty ? head.fault == nil : document.entries.contains { !$0.isBroken }
    guard isReadable else { throw Fault(reason: "it is not XML") }
    return document
  }

  /// Old pages do not close their elements, nor begin with `html`.
  private static func isPage(_ text: [UInt8]) -> Bool {
    String(decoding: text.prefix(512), as: UTF8.self).lowercased().contains("<!doctype html")
  }

  private static let mostFrameBytes = 256 << 20

  private static func document(
    _ reading: XMLReading, _ tidy: inout XMLTidy, _ text: [UInt8], at address: String
  ) -> FeedDocument {
    let head = XMLElement(name: "", attributes: [:], nodes: reading.elements.map { .element($0) })
    let base = reading.elements.reduce(address) { base, element in
      XMLReading.frames.contains(element.localName)
        ? FeedAddress.resolve(element["xml:base"], against: base) ?? base : base
    }
    var document = FeedDocument()
    document.title = XMLText.plain(head.first("title", "atom:title"))
    document.home = XMLLinks.page(of: head, base: base)
    document.icon = icon(head, base: base)
    document.language = head.first("language", "dc:language")?.text ?? reading.root?["xml:lang"]
    document.next = XMLLinks.target("next", in: head, base: base)
    document.isComplete = head.first("fh:complete") != nil
    document.requestedDelay = FeedRequestedDelay.of(head)
    let author = XMLText.author(head, base: base)
    document.isPartial = reading.fault != nil
    // The frame is read with each item.
    let most = max(Bounds.entries, min(Bounds.candidates, mostFrameBytes / max(1, tidy.frame.open.count)))
    document.read(Array(tidy.items.indices), most: most) { document, index in
      var raw = text[tidy.items[index]]
      let isShortened = raw.count > Bounds.item
      var tidied = isShortened ? [] : tidy.takeItem(at: index, of: text)
      if isShortened, let short = LongItem.shortened(Array(raw), at: isBracket) {
        var again = XMLTidy.read(short)
        (raw, tidied) = (short[...], again.items.isEmpty ? [] : again.takeItem(at: 0, of: short))
      }
      guard raw.count <= Bounds.item, let item = XMLFeed.item(tidied, in: tidy.frame) else {
        return FeedEntry(base: base, raw: raw, isBroken: true)
      }
      var entry = XMLFeed.entry(item, raw: raw, base: base, home: document.home)
      entry.author = entry.author ?? author
      entry.isShortened = isShortened
      return entry
    }
    return document
  }

  static func isBracket(_ item: [UInt8], at index: Int) -> Bool {
    item[index] == UInt8(ascii: "<") || item[index] == UInt8(ascii: ">")
  }

  private static func item(_ bytes: [UInt8], in frame: (open: [UInt8], close: [UInt8])) -> XMLElement? {
    var reading = XMLReading(frame.open + bytes + frame.close)
    if reading.fault == .malformed, let balanced = XMLBalance.balanced(bytes) {
      reading = XMLReading(frame.open + balanced + frame.close)
    }
    return reading.fault == nil ? reading.elements.last { ["item", "entry"].contains($0.localName) } : nil
  }

  private static func icon(_ head: XMLElement, base: String) -> String? {
    let image = head.first("image")
    let addresses = [
      head.first("webfeeds:icon")?.text, image?.first("url")?.text, head.first("itunes:image")?["href"],
      head.first("atom:icon", "icon")?.text, head.first("atom:logo", "logo")?.text,
    ]
    return addresses.lazy.compactMap { FeedAddress.resolve($0, against: base) }.first
  }

  private static func entry(_ item: XMLElement, raw: ArraySlice<UInt8>, base: String, home: String?) -> FeedEntry {
    let base = FeedAddress.resolve(item["xml:base"], against: base) ?? base
    let text = XMLText.content(item, base: base)
    let link = XMLLinks.page(of: item, base: base)
    // Atom declares the base of its addresses. For RSS the item's page is the best guess.
    let isBased = item["xml:base"] != nil || text?.element["xml:base"] != nil
    let page = isBased ? base : link ?? home ?? base
    var entry = FeedEntry(base: FeedAddress.resolve(text?.element["xml:base"], against: base) ?? page, raw: raw)
    entry.id = item.first("guid", "atom:id", "id")?.text ?? item["rdf:about"]
    entry.link = link
    entry.title = XMLText.title(item)
    entry.html = text?.html
    let dates = [
      item.first(
        "pubDate", "pubdate", "atom:published", "published", "dc:date", "dcterms:created", "atom:issued", "date")?.text,
      item.first("atom:updated", "updated", "dcterms:modified", "atom:modified")?.text,
    ]
    (entry.published, entry.updated) = (FeedDate.read(dates[0]), FeedDate.read(dates[1]))
    entry.dateText = dates.compactMap { $0 }.joined(separator: " ")
    entry.author = XMLText.author(item, base: base)
    entry.tags = tags(item)
    entry.language = item["xml:lang"] ?? item.first("dc:language")?.text
    // RFC 4946, and what other modules have for it.
    let license = item.first("cc:license", "media:license")
    entry.license =
      XMLLinks.target("license", in: item, base: base) ?? license?["rdf:resource"] ?? license?["href"] ?? license?.text
      ?? XMLText.plain(item.first("dc:rights", "atom:rights"))
    let media = XMLMedia(item, base: base)
    (entry.media, entry.thumbnail, entry.sensitive) = (media.all, media.thumbnail, media.isAdult)
    return entry
  }

  private static func tags(_ item: XMLElement) -> [String] {
    let tags = item.elements.lazy.compactMap { element -> String? in
      switch element.name {
      case "category", "dc:subject": element.text ?? element["term"]
      // The label is for display and may be in any language. The term names the category (RFC 4287, 4.2.2).
      case "atom:category": element["term"] ?? element["label"]
      default: nil
      }
    }
    return Array(tags.prefix(Bounds.tags))
  }
}

/// The links of an element.
enum XMLLinks {
  /// The web page of an item or feed: Atom's `alternate`, RSS's `link`, else a `guid` that is a permalink.
  static func page(of element: XMLElement, base: String) -> String? {
    if let link = target("alternate", in: element, base: base) { return link }
    if let link = element.all("link").lazy.compactMap({ FeedAddress.resolve($0.text, against: base) }).first {
      return link
    }
    guard let guid = element.first("guid"), guid["isPermaLink"]?.lowercased() != "false" else { return nil }
    return Bounds.webAddress(guid.text)
  }

  /// The target of the first link with a relation. A link without one is an `alternate`.
  static func target(_ relation: String, in element: XMLElement, base: String) -> String? {
    element.elements.lazy.filter { ["atom:link", "link"].contains($0.name) && $0["href"] != nil }
      .filter { ($0["rel"]?.lowercased() ?? "alternate") == relation }
      .compactMap { link in
        FeedAddress.resolve(
          link["href"], against: FeedAddress.resolve(link["xml:base"], against: base) ?? base)
      }.first
  }
}

/// The texts of an element.
enum XMLText {
  /// A headline as plain text. RSS headlines are HTML, Atom declares the type.
  static func plain(_ element: XMLElement?) -> String? {
    guard let element else { return nil }
    return Bounds.line(Caption.plainText(html: html(element, base: "") ?? ""), bytes: Bounds.block)
  }

  /// An item's headline. Film and podcast sites may have it only in their own namespace.
  static func title(_ item: XMLElement) -> String? {
    let group = item.first("media:group") ?? item
    return [item.first("title", "atom:title"), item.first("itunes:title", "dc:title"), group.first("media:title")].lazy
      .compactMap(plain).first
  }

  /// The fullest text of an item: its content, else its summary, else the description of its film or sound.
  static func content(_ item: XMLElement, base: String) -> (element: XMLElement, html: String)? {
    for name in contents {
      guard let element = item.first(name), element["src"] == nil, !isBinary(element) else { continue }
      let base = FeedAddress.resolve(element["xml:base"], against: base) ?? base
      if let html = html(element, base: base) { return (element, html) }
    }
    let elements = [item.first("media:group"), item, item.first("media:content")].compactMap { $0 }
    guard let element = elements.lazy.compactMap({ $0.first("media:description") }).first, let text = element.text
    else {
      return nil
    }
    return (element, element["type"]?.lowercased() == "html" ? text : lines(text))
  }

  /// Whether it holds bytes in base64, which are no words (RFC 4287, 4.1.3.3).
  private static func isBinary(_ element: XMLElement) -> Bool {
    guard let type = element["type"]?.lowercased(), type.contains("/") else { return false }
    return !type.hasPrefix("text/") && !type.prefix { $0 != ";" }.trimmed.hasSuffix("xml") && !type.contains("html")
  }

  private static let contents = [
    "content:encoded", "atom:content", "content", "description", "atom:summary", "summary", "itunes:summary",
    "itunes:subtitle", "dc:description",
  ]

  /// Media RSS text is plain, and its line breaks count.
  private static func lines(_ text: String) -> String { XMLElement.escaped(text).replacing("\n", with: "<br>") }

  /// The author of an item or a feed.
  static func author(_ element: XMLElement, base: String) -> FeedEntry.Person? {
    if let person = element.first("atom:author", "author"), let named = self.person(person, base: base) { return named }
    let names = ["dc:creator", "author", "itunes:author", "managingEditor"].lazy.compactMap { element.first($0)?.text }
    return names.first { !$0.trimmed.isEmpty }.map(person)
  }

  /// The person that an Atom element describes (RFC 4287, 3.2).
  private static func person(_ element: XMLElement, base: String) -> FeedEntry.Person? {
    let mail = element.first("atom:email", "email")?.text.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    guard let name = element.first("atom:name", "name")?.text ?? mail.flatMap({ person($0).name }) else { return nil }
    let uri = FeedAddress.resolve(element.first("atom:uri", "uri")?.text, against: base)
    return FeedEntry.Person(name: name, address: uri, mail: mail)
  }

  /// `Ada` from `ada@birds.example (Ada)`, and from `ada@birds.example` the part before the `@`.
  private static func person(_ text: String) -> FeedEntry.Person {
    if let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
      text[..<open].contains("@")
    {
      let name = text[text.index(after: open)..<close].trimmed
      if !name.isEmpty { return FeedEntry.Person(name: name, mail: text[..<open].trimmed) }
    }
    if text.trimmed.contains(" ") || !text.contains("@") { return FeedEntry.Person(name: text) }
    return FeedEntry.Person(name: text.trimmed.prefix { $0 != "@" }.description, mail: text.trimmed)
  }

  /// An element's content as HTML; nil if it is empty. Where RSS has elements, its author forgot to escape them.
  private static func html(_ element: XMLElement, base: String) -> String? {
    guard element.name.hasPrefix("atom:") else {
      return element.elements.isEmpty ? element.text : nonEmpty(element.markup(base: base))
    }
    switch element["type"]?.lowercased() ?? "text" {
    case "text", "text/plain": return element.text.map(XMLElement.escaped)
    case "xhtml", "application/xhtml+xml": return nonEmpty(element.markup(base: base))
    default: return element.text
    }
  }

  private static func nonEmpty(_ text: String) -> String? { text.trimmed.isEmpty ? nil : text.trimmed }
}

import Posts

/// The pictures and files of an item: Media RSS (https://www.rssboard.org/media-rss) first, then enclosures.
struct XMLMedia {
  /// One entry for each picture. The members of a group are one picture, so the largest is kept.
  private(set) var all: [FeedMedia] = []
  /// The item's largest thumbnail.
  private(set) var thumbnail: FeedMedia?
  /// Whether it is rated for adults.
  private(set) var isAdult = false

  private let base: String

  init(_ item: XMLElement, base: String) {
    self.base = base
    let shared = thumbnails(of: item).first?.url
    for element in item.elements where all.count < Bounds.attachments {
      switch element.name {
      case "media:content": add([element], preview: shared)
      case "media:group": add(element.all("media:content"), preview: thumbnails(of: element).first?.url ?? shared)
      default: break
      }
    }
    all += enclosures(of: item)
    let small = ([item] + item.all("media:group") + contents(of: item)).flatMap(thumbnails)
    thumbnail = small.max { $0.size < $1.size } ?? cover(of: item)
    let ratings = ([item] + item.all("media:group") + contents(of: item)).flatMap { $0.all("media:rating") }
    isAdult = ratings.contains { $0.text?.lowercased() == "adult" }
  }

  private func contents(of item: XMLElement) -> [XMLElement] {
    item.all("media:content") + item.all("media:group").flatMap { $0.all("media:content") }
  }

  /// These elements all show the same picture.
  private mutating func add(_ alternatives: [XMLElement], preview: String?) {
    let media = alternatives.compactMap { content($0, preview: preview) }
    var best: FeedMedia?
    for one in media where best.map({ $0.size < one.size }) ?? true { best = one }
    if let best { all.append(best) }
  }

  /// Returns nil if there is no address, or for anything but pictures and sound, such as old players.
  private func content(_ element: XMLElement, preview: String?) -> FeedMedia? {
    guard let url = FeedAddress.resolve(element["url"], against: base) else { return nil }
    let kind = Attachment.Kind.of(name: element["medium"], mediaType: element["type"], addresses: [url])
    guard kind != .file else { return nil }
    return FeedMedia(
      kind: kind, url: url, preview: thumbnails(of: element).first?.url ?? preview,
      alt: element.first("media:description", "media:title")?.text, width: FeedMedia.number(element["width"]),
      height: FeedMedia.number(element["height"]), bytes: FeedMedia.number(element["fileSize"], most: .max))
  }

  private func thumbnails(of element: XMLElement) -> [FeedMedia] {
    element.all("media:thumbnail").prefix(Bounds.attachments).compactMap { thumbnail in
      FeedAddress.resolve(thumbnail["url"], against: base).map {
        FeedMedia(
          kind: .image, url: $0, width: FeedMedia.number(thumbnail["width"]),
          height: FeedMedia.number(thumbnail["height"]))
      }
    }
  }

  /// The picture of an episode, and the picture of an item as some sites write it.
  private func cover(of item: XMLElement) -> FeedMedia? {
    let image = item.first("image")
    let addresses = [item.first("itunes:image")?["href"], image?.first("url")?.text, image?.text]
    return addresses.lazy.compactMap { FeedAddress.resolve($0, against: base) }.first
      .map { FeedMedia(kind: .image, url: $0) }
  }

  private func enclosures(of item: XMLElement) -> [FeedMedia] {
    item.elements.filter(Self.isEnclosure).prefix(Bounds.attachments).compactMap { element in
      FeedAddress.resolve(element["url"] ?? element["href"] ?? element["src"], against: base).map {
        FeedMedia(
          kind: .of(name: nil, mediaType: element["type"], addresses: [$0]), url: $0, alt: element["title"],
          bytes: FeedMedia.number(element["length"], most: .max))
      }
    }
  }

  /// Atom's content may be a file elsewhere (RFC 4287, 4.1.3.2), such as the picture of an entry.
  private static func isEnclosure(_ element: XMLElement) -> Bool {
    switch element.name {
    case "enclosure": true
    case "atom:link", "link": element["rel"]?.lowercased() == "enclosure"
    case "atom:content", "content":
      element["src"] != nil
        && ["image", "video", "audio"].contains(element["type"]?.lowercased().prefix { $0 != "/" } ?? "")
    default: false
    }
  }
}

/// A document at a path, with validators for conditional requests.
public struct ScriptedDocument: Sendable {
  /// Its text.
  public var text: String
  /// `Content-Type`.
  public var type: String
  /// `ETag`; with it, a request that names it is answered with 304.
  public var entityTag: String?

  /// Creates a document.
  public init(_ text: String, type: String = "application/xml", entityTag: String? = nil) {
    (self.text, self.type, self.entityTag) = (text, type, entityTag)
  }

  /// An HTML page whose head names a feed.
  public static func page(naming feed: String) -> ScriptedDocument {
    ScriptedDocument(
      """
      <!DOCTYPE html><html><head><title>Birds</title>
      <link rel="alternate" type="application/rss+xml" title="Birds" href="\(feed)"></head><body>Hello</body></html>
      """, type: "text/html; charset=utf-8")
  }

  /// An RSS feed of items, newest first.
  public static func rss(_ items: [ScriptedItem], entityTag: String? = nil) -> ScriptedDocument {
    ScriptedDocument(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0"><channel><title>Birds of the scripted origin</title>
      \(items.map(\.rss).joined(separator: "\n"))
      </channel></rss>
      """, type: "application/rss+xml; charset=utf-8", entityTag: entityTag)
  }

  func answer(_ request: RecordedRequest) -> Answer {
    var headers = ["Content-Type": type]
    headers["ETag"] = entityTag
    if let entityTag, request.headers["if-none-match"] == entityTag {
      return Answer(status: 304, headers: headers, body: [])
    }
    return Answer(headers: headers, body: Array(text.utf8))
  }
}

/// An item of a scripted feed.
public struct ScriptedItem: Sendable {
  /// Its number: the higher, the newer, one hour each.
  public var number: Int
  /// Its `guid`.
  public var id: String
  /// Its page.
  public var link: String
  /// Its text.
  public var text: String
  /// Its picture.
  public var picture: String?
  /// Its enclosures, each an address, a media type and a length in bytes, as far as they are declared.
  public var enclosures: [(url: String, type: String?, length: Int?)] = []

  /// An item of a server.
  public init(_ number: Int, at server: String, text: String? = nil, picture: String? = nil) {
    self.number = number
    id = "item-\(number)"
    link = "\(server)/posts/\(number)"
    self.text = text ?? "Bird \(number)"
    self.picture = picture
  }

  var rss: String {
    var enclosure = picture.map { "<enclosure url=\"\($0)\" type=\"image/png\"/>" } ?? ""
    for (url, type, length) in enclosures {
      let fields = [type.map { " type=\"\($0)\"" }, length.map { " length=\"\($0)\"" }].compactMap(\.self).joined()
      enclosure += "<enclosure url=\"\(url)\"\(fields)/>"
    }
    let (day, hour) = (1 + number / 24, number % 24)
    return """
      <item><guid isPermaLink="false">\(id)</guid><link>\(link)</link><description>\(text)</description>
      <pubDate>\(day) Nov 2026 \(hour):00:00 GMT</pubDate>\(enclosure)</item>
      """
  }
}

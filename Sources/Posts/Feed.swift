/// One thing that brings posts: a tag's posts on a server, a user's timeline, a search, a feed's URL, or an import.
public struct Feed: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a feed.
  public enum Kind: String, Sendable, Codable {
    case tag, user, search, url
    /// Files that a person brought in. No server is asked for it.
    case `import`
  }

  /// The adapter that pulls it.
  public let source: SourceName
  /// The kind of the feed.
  public let kind: Kind
  /// The tag without `#`, the handle (with its host unless that is the server's), the query, or the URL.
  public let value: String
  /// The server from which it is pulled.
  public let server: Server

  /// Creates a feed with a normalized value. A tag loses its `#`, a handle its first `@` and the server's host. Both
  /// are lower-cased, as servers do. In a search, words are separated by one space.
  public init(source: SourceName, kind: Kind, value: String, server: Server) {
    self.source = source
    self.kind = kind
    self.value =
      switch kind {
      case .tag: Feed.tagName(value)
      case .user: Feed.handle(value, at: server)
      case .search: value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      case .url: value
      case .import: value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    self.server = server
  }

  /// `tag:cats@mastodon.social`. The source precedes the server only if people must type it.
  public var name: String {
    switch kind {
    case .url: value
    case .import: "\(kind.rawValue):\(value)"
    case .tag, .user, .search:
      "\(kind.rawValue):\(value)@\(source == .usual ? "" : "\(source.rawValue)+")\(server.name)"
    }
  }

  /// The name for messages and logs, without an address's query, which may hold a key.
  public var spoken: String { Self.spoken(name) }

  /// The same for a name.
  public static func spoken(_ name: String) -> String {
    isAddress(name) || name.hasPrefix("\(Kind.import.rawValue):http") ? name.withoutQueries : name
  }

  /// The feed of what was imported under a name. Its server is one that nobody can have (RFC 2606, 2).
  public static func importing(_ name: String) -> Feed {
    Feed(source: .manual, kind: .import, value: name, server: Server("https://import.invalid")!)
  }

  /// Whether a source can be asked for it.
  public var isPulled: Bool { kind != .import }

  /// The web address of a page of another site, which no source reads; nil for other feeds.
  public var page: String? { kind == .import && Self.isAddress(value) ? value : nil }

  /// The host that is asked for it.
  public var host: String { page.flatMap(Server.init)?.host ?? server.host }

  private static func isAddress(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// `name`.
  public var description: String { name }

  private static func handle(_ text: String, at server: Server) -> String {
    let name = text.trimmingWhiteSpace.drop { $0 == "@" }.lowercased()
    let host = "@\(server.host)".lowercased()
    return name.hasSuffix(host) ? String(name.dropLast(host.count)) : name
  }

  /// A tag in the form in which tags are stored and compared: without `#` and surrounding white space, composed, lower
  /// case.
  public static func tagName(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    let isDropped = { (scalar: Unicode.Scalar) in scalar == "#" || scalar == "＃" || scalar.properties.isWhitespace }
    let name = String(text.unicodeScalars.drop(while: isDropped)).trimmingWhiteSpace
    // Lower-case first: some letters have a composed form only in lower case. This keeps the function idempotent.
    return name.lowercased().composed
  }

  /// Whether a byte needs no normalization. Most tags consist of such bytes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}

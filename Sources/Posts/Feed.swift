import Foundation

/// A kind of remote service, one adapter each; `manual` marks posts a person made by hand.
public enum SourceName: String, Sendable, Codable, CaseIterable {
  case mastodon, instagram, x, feed, manual
}

/// One thing that can be pulled: a tag's posts on a server, a user's timeline, a search, a feed's URL.
public struct Feed: Hashable, Sendable, CustomStringConvertible {
  /// What is pulled.
  public enum Kind: String, Sendable, Codable { case tag, user, search, url }

  /// The adapter that pulls it.
  public let source: SourceName
  /// What is pulled.
  public let kind: Kind
  /// The tag without `#`, the handle, which has a host where it is not the server's, the query, or the URL.
  public let value: String
  /// Where it is pulled from.
  public let server: Server

  /// A feed from its parts; a tag loses its `#`, a handle its first `@` and the server's host, and both are lower-cased,
  /// as servers do. A search is its words with one space between them.
  public init(source: SourceName, kind: Kind, value: String, server: Server) {
    self.source = source
    self.kind = kind
    self.value =
      switch kind {
      case .tag: Feed.tagName(value)
      case .user: Feed.handle(value, at: server)
      case .search: value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      case .url: value
      }
    self.server = server
  }

  /// `tag:cats@mastodon.social`; the source stands before the server only where people must tell it.
  public var name: String {
    switch kind {
    case .url: value
    case .tag, .user, .search:
      "\(kind.rawValue):\(value)@\(source == .mastodon ? "" : "\(source.rawValue)+")\(server.name)"
    }
  }

  /// `name`.
  public var description: String { name }

  private static func handle(_ text: String, at server: Server) -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines).drop { $0 == "@" }.lowercased()
    let host = "@\(server.host)".lowercased()
    return name.hasSuffix(host) ? String(name.dropLast(host.count)) : name
  }

  /// A tag as stored and compared: without `#` and surrounding white space, composed, lower case.
  public static func tagName(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    let isDropped = { (scalar: Unicode.Scalar) in scalar == "#" || scalar == "＃" || scalar.properties.isWhitespace }
    let name = String(text.unicodeScalars.drop(while: isDropped)).trimmingCharacters(in: .whitespacesAndNewlines)
    // Lowered first: some letters have a composed form as small ones alone. Made again, a name is the same.
    return name.lowercased().precomposedStringWithCanonicalMapping
  }

  /// What a tag's name is as a rule made of, and stays.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}

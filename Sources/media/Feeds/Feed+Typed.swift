import FoundationEssentials
import Posts
import Services

extension Feed {
  /// A feed from a typed address: `https://birds.example/rss.xml`, without the scheme, or with `feed:` in its place.
  init(addressed text: String) throws {
    var address = text.trimmingWhiteSpace
    if address.lowercased().hasPrefix("feed:") {
      address = String(address.dropFirst(5).drop { $0 == "/" })
    }
    if !address.contains("://") { address = "https://\(address)" }
    guard let parts = URLComponents(webAddress: address), parts.user == nil, parts.password == nil,
      let server = Server(address), address.utf8.count <= 4096
    else {
      let isPrivate = URLComponents(webAddress: address)?.user != nil
      throw UsageError(
        isPrivate
          ? "an address is kept, and this one holds a name or password" : "\"\(text)\" is not an address",
        cure: isPrivate
          ? "leave them out and write them into ~/.netrc" : "write one such as https://birds.example/rss.xml")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
    self.init(source: Catalogue.ofAddresses, kind: .url, value: server.origin + path + query, server: server)
  }

  /// A typed address with its scheme. Neither a file nor what a program takes for an order, such as `oauth:`, is one.
  static func typedAddress(_ text: String) throws -> String {
    let typed = try Feed(addressed: text).value
    // As it was typed, for a program may read what stands behind `#`.
    let isWhole = text.hasPrefix("http://") || text.hasPrefix("https://")
    return isWhole && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : typed
  }

  /// The feed of a page of another site, by its name such as `import:https://art.example/tag/cats`; nil if the name is no such one.
  init?(page name: String) throws {
    let prefix = "\(Kind.import.rawValue):"
    let address = String(name.dropFirst(prefix.count))
    guard name.hasPrefix(prefix), Feed.importing(address).page != nil else { return nil }
    self = .importing(try Feed.typedAddress(address))
  }

  /// The feed, if its value is valid for its kind.
  func checked(writtenAs text: String) throws -> Feed {
    let isWord = !value.isEmpty && !value.contains { $0.isWhitespace || $0 == "/" || $0 == "#" }
    let isShort = value.utf8.count <= 500
    let hasPhrases = Catalogue.entry(source)?.hasPhrasesAsTags == true
    switch kind {
    case .tag where !isShort || !(hasPhrases ? !value.isEmpty : isWord && !value.contains(":")):
      throw UsageError.unusable(.tag, text)
    case .user where !isWord || !isShort: throw UsageError.unusable(.user, text)
    case .search where value.isEmpty: throw UsageError.unusable(.search, text)
    case .search where !isShort:
      throw UsageError("the words to search for are longer than 500 bytes", cure: "write a few, such as \"red panda\"")
    case .tag, .user, .search, .url, .import: return self
    }
  }
}

extension UsageError {
  /// Typed text that is not a feed of a kind.
  static func unusable(_ kind: Feed.Kind, _ text: String) -> UsageError {
    switch kind {
    case .tag: UsageError("\"\(text)\" is not a tag", cure: "write one word, with or without #")
    case .user: UsageError("\"\(text)\" is not a user", cure: "write a name such as birds@photos.example")
    case .search: UsageError("\"\(text)\" has no words to search for", cure: "write a few, such as \"red panda\"")
    case .url: UsageError("\"\(text)\" is not an address", cure: "write one such as https://blog.example.org")
    case .import: UsageError("\"\(text)\" is not an import", cure: "write one such as import:downloads")
    }
  }
}

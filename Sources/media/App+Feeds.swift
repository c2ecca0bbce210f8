import Foundation
import Posts
import Services
import Storage
import Terminal

extension App {
  /// The feed of an address: a known one, the one at the address, or the one that the page there names. Uses the network
  /// only for unknown addresses.
  func feed(at text: String) async throws -> Feed {
    let typed = try feed(addressed: text)
    if let known = try knownFeed(at: typed.value) { return known }
    let finder = FeedFinder(transport: transport { [console] in console.message($0) }, time: time)
    let address = try await Interruption.guarding { try await finder.address(of: typed) }
    if address == typed.value { return typed }
    let found = try feed(addressed: address)
    console.message("media: the page names its feed: \(found.value)")
    return try knownFeed(at: found.value) ?? found
  }

  private func knownFeed(at address: String) throws -> Feed? {
    guard hasLibrary else { return nil }
    return try withStore(for: .reading) { try $0.feed(at: address) }
  }

  /// A feed from a typed address: `https://birds.example/rss.xml`, without the scheme, or with `feed:` in its place.
  func feed(addressed text: String) throws -> Feed {
    var address = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if address.lowercased().hasPrefix("feed:") {
      address = String(address.dropFirst(5).drop { $0 == "/" })
    }
    if !address.contains("://") { address = "https://\(address)" }
    guard let parts = URLComponents(string: address), parts.user == nil, parts.password == nil,
      let server = Server(address), address.utf8.count <= 4096
    else {
      let isPrivate = URLComponents(string: address)?.user != nil
      throw UsageError(
        isPrivate
          ? "an address is kept, and this one holds a name or password" : "\"\(text)\" is no address",
        cure: isPrivate
          ? "leave them out and write them into ~/.netrc" : "write one such as https://birds.example/rss.xml")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
    return Feed(source: Catalogue.ofAddresses, kind: .url, value: server.origin + path + query, server: server)
  }
}

extension Feed {
  /// The feed's name for users; for an address, the title of the document or its host.
  func label(_ titles: [String: String]) -> String {
    kind == .url ? titles[name] ?? server.name : name
  }

  /// The feed's name for progress and messages, without an address's query, which may hold a key.
  var spoken: String { Self.spoken(name) }

  /// The same for a name.
  static func spoken(_ name: String) -> String {
    guard name.contains("://"), let mark = name.utf8.firstIndex(of: UInt8(ascii: "?")) else { return name }
    return name.hasPrefix("http") ? "\(name[..<mark])?…" : name
  }
}

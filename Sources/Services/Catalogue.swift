import JSONReading
import Login
import Posts

/// All sources, one line each. Everything else about a source is in its own folder.
public enum Catalogue {
  /// Every source, in the order in which they are listed to people.
  public static let entries: [SourceDescriptor] = [
    .mastodon,
    .misskey,
    .lemmy,
    .instagram,
    .x,
    .tumblr,
    .flickr,
    .bluesky,
    .feed,
  ]

  /// The source with this name; nil if there is none.
  public static func entry(_ name: SourceName) -> SourceDescriptor? { entries.first { $0.name == name } }

  /// The source whose servers run this software; nil if there is none.
  public static func entry(speakingAs software: String) -> SourceDescriptor? {
    entries.first { $0.isSpoken(by: software) }
  }

  /// Throws if the name is neither that of a source nor that of posts made by hand: a newer version may have written it.
  public static func expect(_ name: SourceName) throws(UnknownSource) {
    guard name == .manual || entry(name) != nil else { throw UnknownSource(name) }
  }

  /// The source whose own server this is; nil if it is none's.
  public static func entry(owning server: Server) -> SourceDescriptor? {
    entries.first { $0.home?.owns(server) == true }
  }

  /// Who may see a stored post, by its verbatim answer; nil if nothing says it.
  ///
  /// - Parameters:
  ///   - source: Its source.
  ///   - answer: The answer, if there is one.
  ///   - addresses: The addresses of the documents that brought it.
  public static func visibility(of source: SourceName, answer: [UInt8]?, addresses: [String]) -> Visibility? {
    let object = answer.flatMap(JSONObject.init(firstOf:))
    let said = object.flatMap { object in
      // Of a network, the first source takes every answer for one of its own.
      let network = entry(source)?.network ?? source
      return entries.lazy.reversed().filter { $0.network == network }.compactMap { $0.visibility(object) }.first
    }
    let isForOne = !addresses.isEmpty && addresses.allSatisfy(FeedAddress.holdsKey)
    return said ?? (isForOne ? .followers : nil)
  }

  /// Whether a stored post's verbatim answer also holds a post, which it quotes or repeats, that not everybody may see. So
  /// does one that repeats a public post for followers alone: who repeated it is theirs to know.
  ///
  /// - Parameters:
  ///   - source: Its source.
  ///   - answer: The answer.
  public static func quotesPrivate(_ source: SourceName, answer: [UInt8]) -> Bool {
    let network = entry(source)?.network ?? source
    let readers = entries.filter { $0.network == network }.map(\.visibility)
    guard let whole = JSONObject(firstOf: answer) else { return false }
    if Visibility.isPrivateRepeat(whole) { return true }
    var rest = whole.members(most: mostInAnswer).map(\.value)
    while let value = rest.popLast() {
      guard let object = value.object else {
        rest += value.elements(most: mostInAnswer) ?? []
        continue
      }
      if readers.contains(where: { !$0(object).isPublishable }) { return true }
      rest += object.members(most: mostInAnswer).map(\.value)
    }
    return false
  }

  private static let mostInAnswer = 100_000

  /// The sources whose answers say when and where files were taken.
  public static let describing = entries.filter { $0.said != nil }.map(\.name)

  /// When and where the files of a stored post were taken, by its verbatim answer; nil if it does not say.
  ///
  /// - Parameters:
  ///   - source: Its source.
  ///   - answer: The answer, if it can be read.
  public static func said(of source: SourceName, answer: [UInt8]?) -> SaidFacts? {
    answer.flatMap(JSONObject.init(firstOf:)).flatMap { entry(source)?.said?($0) }
  }

  /// The SHA-256 of a file's bytes, 32 bytes, as its address names it; nil if it names none.
  public static func digest(namedBy address: String) -> [UInt8]? {
    entries.lazy.compactMap { $0.files.digest(address) }.first
  }

  /// To whom a file belongs, and the network's files; nil if its address does not say.
  static func owner(ofFile address: String) -> (files: NamedFiles, owner: String)? {
    entries.lazy.compactMap { entry in entry.files.owner(address).map { (entry.files, $0) } }.first
  }

  /// The source whose feeds are named by their addresses.
  public static let ofAddresses = SourceName.feed
}

extension JSONObject {
  /// The object, or the first one of an array.
  fileprivate init?(firstOf bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "[") else {
      self.init(bytes)
      return
    }
    guard let range = (try? JSONSlices.elements(of: bytes))?.first else { return nil }
    self.init(bytes, at: range)
  }
}

extension LoginProviders {
  /// The login providers of all sources.
  public static let catalogue = LoginProviders { source, api, authServer in
    try Catalogue.expect(source)
    return Catalogue.entry(source)?.api(api, at: authServer.server)?.login?.provider(authServer)
  }
}

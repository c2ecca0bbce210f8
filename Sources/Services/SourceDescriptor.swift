import JSONReading
import Login
import Posts

/// What a source says of itself: all that other code must know of a single source.
///
/// Each source declares one in its folder, and `Catalogue` lists it. Code outside the folder asks the descriptor and
/// never compares names.
public struct SourceDescriptor: Sendable {
  /// The name that feeds and logins use for it.
  public let name: SourceName
  /// The name under which the library has its posts and their authors: that of the first source of a network whose servers show
  /// each other's posts. So one post is stored once, whichever source brought it.
  public let network: SourceName
  /// The name that people read.
  public let displayName: String
  /// What it reads, in a line.
  public let summary: String
  /// What help texts add to its name where they list the sources; nil if the name says enough.
  public let note: String?
  /// The service's own server; nil if there is none, or many alike.
  public let home: Home?
  /// The pages of its servers' web sites, by which people name users, tags and posts; nil if there are none.
  let pages: WebPages?
  /// The software whose servers answer as this source's do, by its names in NodeInfo; nil if servers are not asked what
  /// they run, nor where their accounts live.
  let software: Set<String>?
  /// How its posts are found again under another URI.
  public let identity: Post.IdentityRule
  /// Whether its tags may have several words, and any characters.
  public let hasPhrasesAsTags: Bool
  /// How often its feeds may and must be pulled.
  public let polling: PollingRule
  /// The API that is used unless another is named.
  public let usual: SourceAPI
  /// The name of the usual API, for people who named another one before; nil if there is no other.
  public let usualName: String?
  /// The other APIs of the service, by the names that people type.
  public let others: [String: SourceAPI]
  /// The name of the API of the service's own server, if its usual API is another.
  private let homeAPI: String?
  /// Read what download programs wrote of its posts, where the general reader would lose something.
  let downloads: [DownloadReader]
  /// The archives that the service gives to its users, and other files of its posts.
  let archives: [ArchiveForm]
  /// The stream of all posts of its network; nil if there is none.
  public let stream: PostStream?
  /// Says who may see the post of an answer that the library stored; nil if the answer does not say.
  let visibility: @Sendable (JSONObject) -> Visibility?
  /// Says when and where the files of an answer that the library stored were taken; nil if no answer says it.
  let said: (@Sendable (JSONObject) -> SaidFacts?)?
  /// What the addresses of its files tell.
  let files: NamedFiles

  init(
    _ name: SourceName, of network: SourceName? = nil, displayName: String, summary: String, note: String? = nil,
    home: Home? = nil,
    pages: WebPages? = nil, software: Set<String>? = nil,
    hasPhrasesAsTags: Bool = false, identity: Post.IdentityRule = .address, polling: PollingRule = PollingRule(),
    _ usual: SourceAPI,
    called usualName: String? = nil, others: [String: SourceAPI] = [:], atHome homeAPI: String? = nil,
    downloads: [DownloadReader] = [], archives: [ArchiveForm] = [], stream: PostStream? = nil,
    visibility: @escaping @Sendable (JSONObject) -> Visibility? = { _ in nil },
    said: (@Sendable (JSONObject) -> SaidFacts?)? = nil,
    files: NamedFiles = .none
  ) {
    (self.name, self.network) = (name, network ?? name)
    self.displayName = displayName
    self.summary = summary
    self.note = note
    self.home = home
    self.pages = pages
    self.software = software
    self.hasPhrasesAsTags = hasPhrasesAsTags
    self.identity = identity
    self.polling = polling
    self.usual = usual
    self.usualName = usualName
    self.others = others
    self.homeAPI = homeAPI
    self.downloads = downloads
    self.archives = archives
    self.stream = stream
    self.visibility = visibility
    self.said = said
    self.files = files
  }

  /// The command that logs in at a server of it, for an API; `media login SERVER` does not suffice where the server does not show its
  /// source.
  public func loginCommand(at server: Server, for api: String?) -> String {
    let isKnown = name == .usual || home?.owns(server) == true
    let arguments = self.api(api, at: server)?.login?.arguments ?? ""
    let rest = arguments.isEmpty && !isKnown ? "--source \(name.rawValue)" : arguments
    return rest.isEmpty ? "media login \(server)" : "media login \(server) \(rest)"
  }

  /// The command that makes a login anew, in the way in which it was made.
  public static func loginCommand(for account: Account) -> String {
    let command =
      Catalogue.entry(account.source)?.loginCommand(at: account.server, for: account.api)
      ?? "media login \(account.server)"
    return account.binding == nil ? command : "\(command) --oauth"
  }

  /// All its APIs with the names that people type, in the order of the names. The name is nil if there is only one.
  public var apis: [(name: String?, api: SourceAPI)] {
    ([(usualName, usual)] + others.map { ($0, $1) }).sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// The API with this name, or the server's API if no name is given. Returns nil if no API has the name.
  public func api(_ name: String?, at server: Server) -> SourceAPI? {
    guard let name = self.name(of: name, at: server), name != usualName else { return usual }
    return others[name]
  }

  /// The name of the API that a name, or no name, selects at a server; nil if a source has only one.
  public func name(of api: String?, at server: Server) -> String? {
    api ?? (home?.owns(server) == true ? homeAPI : nil) ?? usualName
  }

  /// The API for which a login must be made: the named one or the server's, if its logins are good for it alone. Returns
  /// nil if one login is for all.
  public func loginAPI(_ name: String?, at server: Server) -> String? {
    api(name, at: server)?.login?.isOfOneAPI == true ? self.name(of: name, at: server) : nil
  }

  /// Whether servers are asked where their accounts live and what they run.
  public var isDiscovered: Bool { software != nil }

  /// Whether servers that run this software answer as its servers do. `ServerDiscovery` calls that of Bluesky's network by the
  /// source's name.
  public func isSpoken(by software: String) -> Bool {
    (name == .bluesky ? [name.rawValue] : self.software)?.contains(software.lowercased()) == true
  }

  /// Whether its feeds are named by their addresses alone.
  public var isOfAddresses: Bool { usual.kinds == [.url] }
}

extension SourceDescriptor {
  /// A service's own server, which may have several names.
  public struct Home: Sendable {
    /// The server by its canonical name.
    public let server: Server
    /// Its host aliases. Their subdomains belong to it, too.
    public let hosts: [String]
    /// Whether a login at another server takes precedence where no server is named.
    public let yieldsToLogins: Bool
    /// Whether the source's bare name behind an `@` in a search names the server, rather than being a word.
    public let isNamedInSearches: Bool

    init?(_ server: Server?, hosts: [String], yieldsToLogins: Bool = false, isNamedInSearches: Bool = false) {
      guard let server else { return nil }
      self.server = server
      self.hosts = hosts
      self.yieldsToLogins = yieldsToLogins
      self.isNamedInSearches = isNamedInSearches
    }

    /// The first part of a server's name below one of the host aliases; nil if there is none, or if it is that of the web
    /// site itself.
    func subdomain(of server: Server) -> String? {
      guard let host = hosts.first(where: { server.host.hasSuffix(".\($0)") }) else { return nil }
      let part = String(server.host.dropLast(host.count + 1))
      return part == "www" || part.contains(".") ? nil : part
    }

    /// Whether a server is this one, by any of its names, and not another that implements its APIs.
    public func owns(_ server: Server) -> Bool {
      server.isSecure && hosts.contains { server.host == $0 || server.host.hasSuffix(".\($0)") }
    }
  }

  /// How often feeds may and must be pulled.
  public struct PollingRule: Sendable, Hashable {
    /// The longest interval of a quiet or failing feed.
    public var longest: Duration
    /// Whether an interval that a person fixed is held to the longest one, too, because older posts are not shown.
    public var isStrict: Bool
    /// Whether a feed is a document that shows only its newest items.
    public var isOfDocument: Bool

    /// A rule; by default that of most feeds.
    public init(longest: Duration = .seconds(86_400), isStrict: Bool = false, isOfDocument: Bool = false) {
      (self.longest, self.isStrict, self.isOfDocument) = (longest, isStrict, isOfDocument)
    }
  }
}

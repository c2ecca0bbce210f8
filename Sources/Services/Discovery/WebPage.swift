import FoundationEssentials
import HTTP
import Posts

/// What a page of a service's web site shows, by its address.
public enum WebPage: Equatable, Sendable {
  /// A user's profile.
  case user(String)
  /// The posts with a tag.
  case tag(String)
  /// What a search finds.
  case search(String)
  /// One post, by its id for the source's API; nil where pages name posts by something else.
  case post(id: String?)
}

/// The pages of a service's web site, by the parts of their paths. An asterisk stands for the name, `#` for an id.
struct WebPages: Sendable {
  private let tags: [[String]]
  private let users: [[String]]
  private let groups: [[String]]
  /// What precedes the name of a group where the source takes that of a user.
  private let groupMark: String
  private let posts: [[String]]
  /// First parts that are no name of a user.
  private let others: Set<String>
  /// The page of searches, and the field of its query that holds the words.
  private let search: (path: [String], field: String)?
  /// The API's id of a post by a path and the id in it; nil if the path names posts by something else.
  private let id: @Sendable (_ path: [String], _ id: String) -> String?
  /// Whether a user's pages are also at a host of the user's name: `staff.tumblr.com`.
  private let hasUsersAsHosts: Bool

  /// Pages.
  ///
  /// - Parameters:
  ///   - groupMark: What precedes the name of a group where the source takes that of a user.
  ///   - others: First parts that are no name of a user.
  ///   - search: The page of searches, and the field of its query that holds the words.
  ///   - hasUsersAsHosts: Whether a user's pages are also at a host of the user's name.
  ///   - id: The API's id of a post by a path and the id in it, which are the same if nothing else is said.
  init(
    tags: [String], users: [String], groups: [String] = [], groupMark: Character? = nil, posts: [String],
    others: Set<String> = [], search: (path: [String], field: String)? = nil, hasUsersAsHosts: Bool = false,
    id: @escaping @Sendable (_ path: [String], _ id: String) -> String? = { $1 }
  ) {
    let parts = { (paths: [String]) in paths.map { $0.split(separator: "/").map(String.init) } }
    (self.tags, self.users, self.posts, self.others) = (parts(tags), parts(users), parts(posts), others)
    (self.groups, self.groupMark) = (parts(groups), groupMark.map(String.init) ?? "")
    (self.search, self.hasUsersAsHosts, self.id) = (search, hasUsersAsHosts, id)
  }

  /// The search that an address of this path shows; nil if it shows none.
  func search(at path: [String], in address: String) -> WebPage? {
    guard let search, path == search.path, let words = Request.parameter(search.field, of: address),
      words.contains(where: { !$0.isWhitespace })
    else { return nil }
    return .search(words)
  }

  /// What a path shows at a server of a service's own; nil if it has no known form.
  func page(at path: [String], on server: Server, of home: SourceDescriptor.Home?) -> WebPage? {
    guard hasUsersAsHosts, let user = home?.subdomain(of: server) else { return page(at: path) }
    if path.isEmpty { return .user(user) }
    return path.count > 1 && path[0] == "post" ? .post(id: nil) : nil
  }

  /// What a path shows; nil if it has no known form.
  func page(at path: [String]) -> WebPage? {
    if let name = Self.names(in: path, tags)?.name { return .tag(name) }
    if let name = Self.names(in: path, users)?.name, !others.contains(name.lowercased()) { return .user(name) }
    if let name = Self.names(in: path, groups)?.name { return .user(groupMark + name) }
    return Self.names(in: path, posts).map { .post(id: id(path, $0.id)) }
  }

  /// The parts of a path at the first asterisk and at the `#` of the first pattern that fits.
  private static func names(in path: [String], _ patterns: [[String]]) -> (name: String, id: String)? {
    for pattern in patterns where pattern.count == path.count {
      var (name, id) = ("", "")
      let fits = zip(pattern, path).allSatisfy { part, text in
        guard part.contains("*") || part == "#" else { return part == text.lowercased() }
        let prefix = part.prefix { $0 != "*" && $0 != "#" }
        guard text.hasPrefix(prefix), text.count > prefix.count else { return false }
        if part == "#" { id = text } else if name.isEmpty { name = String(text.dropFirst(prefix.count)) }
        return true
      }
      if fits { return (name, id) }
    }
    return nil
  }
}

extension Catalogue {
  /// What a web address shows: the page, its server and the source that pulls it; nil if it has no known form.
  public static func page(at address: String) -> (page: WebPage, source: SourceName, server: Server)? {
    guard address.hasPrefix("http://") || address.hasPrefix("https://"), address.utf8.count <= 2048,
      let parts = URLComponents(webAddress: address), let server = Server(address)
    else { return nil }
    let owner = entry(owning: server)
    let path = parts.percentEncodedPath.split(separator: "/").map { $0.percentDecoded ?? String($0) }
    // Anybody may run a server of the others: the first source that has such pages stands for those that share them.
    let known = owner.map { [$0] } ?? entries.filter(\.isDiscovered)
    guard
      let (entry, page) = known.lazy.compactMap({ entry in
        let page = entry.pages?.search(at: path, in: address) ?? entry.pages?.page(at: path, on: server, of: entry.home)
        return page.map { (entry, $0) }
      }).first
    else { return nil }
    return (page, entry.name, entry.home?.owns(server) == true ? entry.home?.server ?? server : server)
  }

  /// The feed of a profile's, a tag's or a search's web address; nil if it has no known form.
  ///
  /// - Parameter kind: The kind that is meant, if it is known: some servers' profiles have the name alone as their path.
  public static func feed(at address: String, as kind: Feed.Kind? = nil) -> Feed? {
    guard let (page, source, server) = page(at: address) else {
      guard kind == .user, let server = Server(address), entry(owning: server) == nil,
        let path = URLComponents(webAddress: address)?.path.split(separator: "/"), path.count == 1
      else { return nil }
      return Feed(source: .usual, kind: .user, value: String(path[0]), server: server)
    }
    switch page {
    case .user(let name): return Feed(source: source, kind: .user, value: name, server: server)
    case .tag(let name): return Feed(source: source, kind: .tag, value: name, server: server)
    case .search(let words): return Feed(source: source, kind: .search, value: words, server: server)
    case .post: return nil
    }
  }
}

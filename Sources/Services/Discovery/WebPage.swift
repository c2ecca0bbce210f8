import FoundationEssentials
import Posts

/// What a page of a service's web site shows, by its address.
public enum WebPage: Equatable, Sendable {
  /// A user's profile.
  case user(String)
  /// The posts with a tag.
  case tag(String)
  /// One post, by its id for the source's API; nil where pages name posts by something else.
  case post(id: String?)
}

/// The pages of a service's web site, by the parts of their paths. An asterisk stands for the name, `#` for an id.
struct WebPages: Sendable {
  private let tags: [[String]]
  private let users: [[String]]
  private let posts: [[String]]
  /// First parts that are no name of a user.
  private let others: Set<String>
  /// Whether the ids in the addresses of posts are those of the API.
  private let hasIDs: Bool
  /// Whether a user's pages are also at a host of the user's name: `staff.tumblr.com`.
  private let hasUsersAsHosts: Bool

  /// Pages.
  ///
  /// - Parameters:
  ///   - hasIDs: Whether the ids in the addresses of posts are those of the API, as their last part.
  ///   - hasUsersAsHosts: Whether a user's pages are also at a host of the user's name.
  init(
    tags: [String], users: [String], posts: [String], others: Set<String> = [], hasIDs: Bool = true,
    hasUsersAsHosts: Bool = false
  ) {
    let parts = { (paths: [String]) in paths.map { $0.split(separator: "/").map(String.init) } }
    (self.tags, self.users, self.posts, self.others) = (parts(tags), parts(users), parts(posts), others)
    (self.hasIDs, self.hasUsersAsHosts) = (hasIDs, hasUsersAsHosts)
  }

  /// What a path shows at a server of a service's own; nil if it has no known form.
  func page(at path: [String], on server: Server, of home: SourceDescriptor.Home?) -> WebPage? {
    guard hasUsersAsHosts, let user = home?.subdomain(of: server) else { return page(at: path) }
    if path.isEmpty { return .user(user) }
    return path.count > 1 && path[0] == "post" ? .post(id: nil) : nil
  }

  /// What a path shows; nil if it has no known form.
  func page(at path: [String]) -> WebPage? {
    if let name = Self.name(in: path, tags) { return .tag(name) }
    if let name = Self.name(in: path, users), !others.contains(name.lowercased()) { return .user(name) }
    // The id is the last part.
    return Self.name(in: path, posts) == nil ? nil : .post(id: hasIDs ? path.last : nil)
  }

  /// The part of a path at the asterisk of the first pattern that fits.
  private static func name(in path: [String], _ patterns: [[String]]) -> String? {
    for pattern in patterns where pattern.count == path.count {
      var name = ""
      let fits = zip(pattern, path).allSatisfy { part, text in
        guard part.contains("*") || part == "#" else { return part == text.lowercased() }
        let prefix = part.prefix { $0 != "*" && $0 != "#" }
        guard text.hasPrefix(prefix), text.count > prefix.count else { return false }
        if part.contains("*") { name = String(text.dropFirst(prefix.count)) }
        return true
      }
      if fits { return name }
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
        entry.pages?.page(at: path, on: server, of: entry.home).map { (entry, $0) }
      }).first
    else { return nil }
    return (page, entry.name, entry.home?.owns(server) == true ? entry.home?.server ?? server : server)
  }

  /// The feed of a profile's or a tag's web address; nil if it has no known form.
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
    case .post: return nil
    }
  }
}

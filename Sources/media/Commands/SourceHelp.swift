import Posts
import Services
import Wording

/// What help texts say about the sources, made from their descriptors.
enum SourceHelp {
  /// `mastodon (Pixelfed and others too), instagram or x`, the sources with named servers; with `feed` if wanted.
  static func names(withAddresses: Bool = false) -> String {
    let listed = Catalogue.entries.filter { withAddresses || !$0.isOfAddresses }
    return NumberText.list(listed.map { "\($0.name.rawValue)\($0.note.map { " (\($0))" } ?? "")" }, by: "or")
  }

  /// `1.1 or 2 of x, graph or v1 of instagram`: the sources with several APIs.
  static var apis: String {
    let several = Catalogue.entries.map { (names: $0.apis.compactMap(\.name), of: $0.name) }.filter {
      $0.names.count > 1
    }
    return several.sorted { $0.names[0] < $1.names[0] }
      .map { "\(NumberText.list($0.names, by: "or")) of \($0.of.rawValue)" }.joined(separator: ", ")
  }

  /// The names of all APIs that can be chosen.
  static var apiNames: [String] { Set(Catalogue.entries.flatMap { $0.apis.compactMap(\.name) }).sorted() }

  /// The APIs whose logins are good for them alone, each with its source.
  static var loginAPIs: [(name: String, source: SourceDescriptor)] {
    Catalogue.entries.flatMap { entry in
      entry.apis.compactMap { name, api in api.login?.isOfOneAPI == true ? name.map { ($0, entry) } : nil }
    }
  }

  /// The sources at which apps log in.
  static var appLogins: String { named { $0.logsAppsIn } }

  /// The sources at which people type a name and a password.
  static var passwords: String {
    logins.compactMap { source, login in
      login.password.map { "\(source.displayName) asks for your \($0.name) and \($0.password) instead." }
    }.joined(separator: " ")
  }

  /// The sources at which apps log in by their key alone.
  static var keyLogins: String { named { $0.takesKeysAlone } }

  /// The sources at which people may log in on a page instead of by password.
  static var pageLogins: String { named { $0.hasPage } }

  /// The sources whose logins take a redirect.
  static var redirectLogins: String { named { $0.redirect != nil } }

  /// What stands in for a redirect that is not given.
  static var redirects: String { NumberText.list(logins.compactMap(\.login.redirect), by: "or") }

  /// What the sources say about a kind of feed.
  static func about(_ kind: Feed.Kind) -> String {
    Catalogue.entries.flatMap { $0.apis.compactMap { $0.api.help[kind] } }.joined(separator: " ")
  }

  /// `of RSS, Atom and JSON feeds, and of Instagram hashtags`: the posts that cannot be looked up again.
  static var lost: String {
    Catalogue.entries.reversed().flatMap { $0.apis.compactMap(\.api.lost) }.joined(separator: ", and ")
  }

  private static var logins: [(source: SourceDescriptor, login: LoginService)] {
    Catalogue.entries.flatMap { entry in entry.apis.compactMap { _, api in api.login.map { (entry, $0) } } }
  }

  private static func named(_ has: (LoginService) -> Bool) -> String {
    var names: [String] = []
    for (source, login) in logins where has(login) && !names.contains(source.name.rawValue) {
      names.append(source.name.rawValue)
    }
    return NumberText.list(names, by: "or")
  }
}

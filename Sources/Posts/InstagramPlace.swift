/// Where Instagram is, whose API is Meta's and lies elsewhere.
extension Server {
  /// Instagram under the name that stands for all of them.
  public static let instagram = Server("instagram.com")

  /// Whether this is Instagram itself, by any of its names, and no server that speaks its APIs elsewhere.
  public var isInstagram: Bool {
    isSecure && (host == "instagram.com" || host.hasSuffix(".instagram.com"))
  }

  /// Where the Graph API is spoken to: at Meta's own host for it, else at the server itself.
  public var graphAPI: String { "\(isInstagram ? "https://graph.facebook.com" : origin)/\(Self.graphVersion)" }

  /// The page on which people let an app read for them
  /// (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
  public var graphDialog: String {
    "\(isInstagram ? "https://www.facebook.com" : origin)/\(Self.graphVersion)/dialog/oauth"
  }

  private static let graphVersion = "v25.0"
}

extension SourceName {
  /// By which people name Instagram's API of today, where a server has another one, too.
  public static let graphAPI = "graph"
}

/// The addresses of Instagram. Its API is Meta's, on another host.
extension Server {
  /// Instagram, by its canonical name.
  public static let instagram = Server("instagram.com")

  /// Whether this is Instagram itself, by any of its names, and not another server that implements its APIs.
  public var isInstagram: Bool {
    isSecure && (host == "instagram.com" || host.hasSuffix(".instagram.com"))
  }

  /// The base address of the Graph API: Meta's host for Instagram itself, otherwise the server.
  public var graphAPI: String { "\(isInstagram ? "https://graph.facebook.com" : origin)/\(Self.graphVersion)" }

  /// The page on which people authorize an app
  /// (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
  public var graphDialog: String {
    "\(isInstagram ? "https://www.facebook.com" : origin)/\(Self.graphVersion)/dialog/oauth"
  }

  private static let graphVersion = "v25.0"
}

extension SourceName {
  /// The name by which people choose Instagram's current API if a server has another one too.
  public static let graphAPI = "graph"
}

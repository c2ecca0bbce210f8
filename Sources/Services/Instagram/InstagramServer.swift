import Posts

// The addresses of Instagram. Its API is Meta's, on another host.

extension Server {
  /// Instagram, by its canonical name.
  package static let instagram = Server("instagram.com")

  /// Whether this is Instagram itself, by any of its names, and not another server that implements its APIs.
  var isInstagram: Bool { SourceDescriptor.instagram.home?.owns(self) == true }

  /// The base address of the Graph API: Meta's host for Instagram itself, otherwise the server.
  var graphAPI: String { "\(isInstagram ? "https://graph.facebook.com" : origin)/\(Self.graphVersion)" }

  /// The page on which people authorize an app
  /// (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
  var graphDialog: String {
    "\(isInstagram ? "https://www.facebook.com" : origin)/\(Self.graphVersion)/dialog/oauth"
  }

  private static let graphVersion = "v25.0"
}

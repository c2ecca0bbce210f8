import HTTP
import Posts

extension LoginFlow {
  /// Begins a login at Instagram's Graph API, or at a server that speaks it, with keys a person made there; they are kept
  /// for the next login. `redirect` is what the app's settings allow, the page for programs unless said otherwise.
  public func beginGraph(
    _ server: Server, clientID: String, clientSecret: Secret, redirect: String? = nil
  ) throws -> Authorization {
    let app = InstagramGraphLoginProvider.app(
      at: server, clientID: clientID, clientSecret: clientSecret, redirect: redirect)
    return try begin(app, at: endpoints(of: app), again: false)
  }

  /// The providers of the API of Instagram's that an app is for.
  func endpoints(of app: AppRegistration) -> Endpoints {
    app.api == SourceName.graphAPI ? Endpoints(graphAt: app.server) : Endpoints(instagramAt: app.server)
  }
}

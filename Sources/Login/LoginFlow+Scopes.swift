import HTTP
import Posts

extension LoginFlow {
  /// Begins a login again with `read` after the server granted narrower scopes and then refused them: Takahē grants
  /// `read:accounts` and wants `read` for what it covers. The token granted in vain is given back.
  ///
  /// - Parameters:
  ///   - login: the login that ended so. Keys made by hand stay; otherwise the app is registered anew, because most
  ///     servers refuse an app more than it was registered for.
  ///   - grant: what was granted.
  /// - Returns: the new authorization; nil if `read` was asked for already, or the source has no such scope.
  func widened(_ login: PendingLogin, _ grant: Grant) async throws -> Authorization? {
    let coarse = AuthServer.coarseScopes
    guard login.app.source == .mastodon else { return nil }
    let server = AuthServer(server: login.app.server, transport: transport)
    try await server.revoke(grant.token, clientID: login.app.clientID, clientSecret: login.app.clientSecret)
    guard login.app.scopes != coarse else { return nil }
    let endpoints = try await server.endpoints()
    var app = login.app
    app.scopes = coarse
    if !app.madeByHand { app = try await server.register(coarse, at: endpoints, website: website) }
    try accounts.change { $0.pending.removeAll { $0.state == login.state } }
    return try begin(app, at: endpoints, again: login.again)
  }
}

import Login

// Servers that grant a narrow scope and then refuse it: Takahē grants `read:accounts` and wants `read` for what it
// covers.

extension MastodonLoginProvider {
  /// Where `read` can be asked for in place of what a login asked for; nil if it was asked for already, or the server has
  /// no such scope.
  func widerEndpoints(for app: AppRegistration) async -> Endpoints? {
    guard app.scopes != Self.coarseScopes, let endpoints = try? await endpoints(),
      endpoints.scopes?.contains("read") != false
    else { return nil }
    return endpoints
  }

  func isTooNarrow(_ grant: Grant) async -> Bool {
    guard grant.scopes?.contains("read") != true else { return false }
    return await findsTooNarrow(grant.token)
  }

  /// Keys made by hand stay; otherwise the app is registered anew, because most servers refuse an app more than it was
  /// registered for.
  func widened(
    _ app: AppRegistration, at endpoints: Endpoints, website: String?
  ) async throws(LoginError) -> AppRegistration {
    var app = app
    app.scopes = Self.coarseScopes
    return app.madeByHand ? app : try await register(app.scopes, at: endpoints, website: website)
  }
}

import FoundationEssentials
import HTTPTypes
import Hummingbird
import Posts

/// What is known about a request besides the request: who sent it.
struct DemoContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The token it carried, checked; nil when it carried none.
  var token: Registry.Token?

  init(source: Source) { coreContext = .init(source: source) }

  /// Whoever is logged in, if their token covers one of `scopes`.
  func person(_ scopes: String...) throws -> Person {
    guard let token else { throw Refusal.badToken }
    guard let index = token.person else {
      throw Refusal(.unprocessableContent, "This method requires an authenticated user")
    }
    guard scopes.contains(where: { Scopes.cover(token.scopes, $0) }) else {
      throw Refusal(.forbidden, "This action is outside the authorized scopes")
    }
    return Person.everyone[index]
  }
}

/// The outermost middleware: checks the token, counts the request, and formats every error as clients of this API expect.
struct APIMiddleware: RouterMiddleware {
  let serverState: ServerState

  func handle(
    _ request: Request,
    context: DemoContext,
    next: (Request, DemoContext) async throws -> Response
  ) async throws -> Response {
    let isAPI = request.uri.path.hasPrefix("/api/") || request.uri.path.hasPrefix("/v2/")
    var context = context
    var answer: Response
    do {
      context.token = try token(of: request, isAPI: isAPI)
      answer = try await next(request, context)
    } catch let refusal as any APIRefusal {
      answer = refusal.answer
    } catch let error as DemoServerError {
      answer = Response(
        html: DemoPage.message("This picture cannot be drawn", error.description), status: .internalServerError)
    } catch let error as any HTTPResponseError {
      let status = error.status
      answer = isAPI ? serverState.dialect.api.refusal(status).answer : DemoPage.error(status)
    }
    if isAPI, serverState.dialect.api.statesLimits { count(request, context.token, &answer) }
    answer.headers[.accessControlAllowOrigin] = "*"
    return answer
  }

  private func token(of request: Request, isAPI: Bool) throws -> Registry.Token? {
    guard isAPI, let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    let value = header.dropFirst(7).trimmingWhiteSpace
    guard let token = serverState.registry.withLock({ $0.tokens[value] }) else { throw serverState.dialect.badToken }
    guard token.scopes.contains("read") || !serverState.dialect.coarseScopePaths.contains(request.uri.path) else {
      throw Refusal.outOfScope
    }
    return token
  }

  private func count(_ request: Request, _ token: Registry.Token?, _ answer: inout Response) {
    let now = serverState.now()
    let state = serverState.rates.withLock { $0.count(token?.value ?? "", at: now) }
    answer.headers[.rateLimit] = String(RateWindow.limit)
    answer.headers[.rateRemaining] = String(state.remaining)
    answer.headers[.rateReset] = state.reset.wire.replacing(".000Z", with: ".000000Z")
  }
}

extension HTTPField.Name {
  static let rateLimit = Self("X-RateLimit-Limit")!
  static let rateRemaining = Self("X-RateLimit-Remaining")!
  static let rateReset = Self("X-RateLimit-Reset")!
  static let link = Self("Link")!
}

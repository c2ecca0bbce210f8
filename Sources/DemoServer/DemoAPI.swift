import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The API that a dialect speaks. It decides which routes are mounted, and the form of errors.
public enum DemoAPI: Sendable {
  case mastodon
  case misskey
  case bluesky
  case tumblr
  case flickr
  case lemmy

  /// Its name, for people.
  var name: String {
    switch self {
    case .mastodon: "Mastodon"
    case .misskey: "Misskey"
    case .bluesky: "Bluesky"
    case .tumblr: "Tumblr"
    case .flickr: "Flickr"
    case .lemmy: "Lemmy"
    }
  }

  /// What is typed behind `media login URL`.
  public var loginArguments: String {
    switch self {
    case .mastodon, .misskey: ""
    case .lemmy: "   (name mira, password demo)"
    case .bluesky: " --source bluesky   (handle mira.test, app password demo; or with --oauth)"
    case .tumblr:
      " --source tumblr --client-id \(TumblrRoutes.key)   "
        + "(or with --client-secret-stdin as a person: \(TumblrLoginRoutes.app.secret))"
    case .flickr: " --source flickr --client-id \(FlickrLogins.key)"
    }
  }

  /// What is typed behind `media tag demo --server URL`.
  public var pullArguments: String {
    switch self {
    case .tumblr: " --source tumblr"
    case .flickr: " --source flickr"
    default: ""
    }
  }

  /// Whether it has a stream, for `media settings jetstream on`.
  public var hasStream: Bool { self == .bluesky }

  /// Whether answers state how many requests are left.
  var statesLimits: Bool { self == .mastodon }

  /// The error of a request that no route answers, or that fails before one does.
  func refusal(_ status: HTTPResponse.Status) -> any APIRefusal {
    switch self {
    // Bluesky's errors are written by a middleware of its own.
    case .mastodon, .bluesky: Refusal(status, status.reasonPhrase)
    case .tumblr: TumblrRefusal(status, status.reasonPhrase)
    case .flickr: FlickrRefusal(105, status.reasonPhrase)
    case .lemmy: LemmyRefusal(status, nil)
    case .misskey: MisskeyRefusal(status, "UNKNOWN_API_ENDPOINT", "Unknown API endpoint.")
    }
  }

  /// What serves its connections.
  func server(
    _ serverState: ServerState, _ pause: @escaping @Sendable (Duration) async throws -> Void
  ) -> HTTPServerBuilder {
    guard hasStream else { return .http1() }
    let stream = Jetstream(serverState: serverState, pause: pause)
    return HTTPServerBuilder { WebSocketChannel(responder: $0, path: Jetstream.path, speak: stream.speak) }
  }

  /// Adds its routes.
  func addRoutes(_ serverState: ServerState, to router: Router<DemoContext>) {
    if self != .bluesky { router.add(middleware: APIMiddleware(serverState: serverState)) }
    switch self {
    case .mastodon:
      AppRoutes(serverState: serverState).add(to: router)
      AuthorizeRoutes(serverState: serverState).add(to: router)
      TokenRoutes(serverState: serverState).add(to: router)
      InstanceRoutes(serverState: serverState).add(to: router)
      TimelineRoutes(serverState: serverState).add(to: router)
      AccountRoutes(serverState: serverState).add(to: router)
      StatusRoutes(serverState: serverState).add(to: router)
      SearchRoutes(serverState: serverState).add(to: router)
    case .misskey:
      MiAuthRoutes(serverState: serverState).add(to: router)
      NoteRoutes(serverState: serverState).add(to: router)
      MisskeyServerRoutes(serverState: serverState).add(to: router)
    case .bluesky: BlueskyRoutes(serverState: serverState).add(to: router)
    case .tumblr:
      TumblrRoutes(serverState: serverState).add(to: router)
    case .flickr: FlickrRoutes(serverState: serverState).add(to: router)
    case .lemmy: LemmyRoutes(serverState: serverState).add(to: router)
    }
  }
}

/// An error in the form of an API.
protocol APIRefusal: HTTPResponseError {
  var answer: Response { get }
}

extension APIRefusal {
  func response(from request: Request, context: some RequestContext) -> Response { answer }
}

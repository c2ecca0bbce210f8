import Foundation
import Synchronization
import Testing

@testable import DemoServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A demo that runs for the length of `body`, and a client that talks to it over a real socket.
func withDemo(
  posts: Int = 60,
  live: Bool = false,
  dialect: Dialect = .mastodon,
  clock: Clockwork = Clockwork(),
  _ body: (Client) async throws -> Void
) async throws {
  let demo = DemoServer(
    options: .init(posts: posts, live: live, seed: 7, start: Clockwork.start, dialect: dialect),
    now: { clock.now },
    pause: clock.pause
  )
  try await withThrowingTaskGroup(of: Void.self) { group in
    let (ready, continuation) = AsyncStream.makeStream(of: URL.self)
    group.addTask { try await demo.run { continuation.yield($0) } }
    var addresses = ready.makeAsyncIterator()
    let address = try #require(await addresses.next())
    try await body(Client(base: address.absoluteString))
    group.cancelAll()
    try await group.waitForAll()
  }
}

/// A clock that moves when a test says so. `pause` comes back after each `tick`.
final class Clockwork: Sendable {
  static let start = Date(timeIntervalSince1970: 1_790_000_000)
  private let elapsed = Mutex<TimeInterval>(0)
  private let begun = Mutex(0)
  private let ticks: AsyncStream<Void>
  private let ticker: AsyncStream<Void>.Continuation

  init() { (ticks, ticker) = AsyncStream.makeStream() }

  var now: Date { Clockwork.start.addingTimeInterval(elapsed.withLock { $0 }) }

  /// How many pauses have begun.
  var pauses: Int { begun.withLock { $0 } }

  func pass(_ seconds: TimeInterval) { elapsed.withLock { $0 += seconds } }

  /// Lets the demo live through one more pause.
  func tick() {
    pass(5)
    ticker.yield()
  }

  @Sendable func pause(_: Duration) async throws {
    begun.withLock { $0 += 1 }
    for await _ in ticks { return }
    try Task.checkCancellation()
  }
}

/// What a test needs of HTTP.
struct Client: Sendable {
  let base: String

  struct Answer {
    let status: Int
    let headers: [String: String]
    let data: Data

    var text: String { String(decoding: data, as: UTF8.self) }
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:] }
    var list: [[String: Any]] { (try? JSONSerialization.jsonObject(with: data)) as? [[String: Any]] ?? [] }
    var ids: [String] { list.compactMap { $0["id"] as? String } }

    subscript(name: String) -> String? { headers[name.lowercased()] }

    /// The address of a neighbouring page.
    func link(_ relation: String) -> String? {
      self["link"]?.components(separatedBy: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
        .flatMap { $0.split(separator: ">").first.map { String($0.dropFirst()) } }
    }
  }

  func get(_ path: String, headers: [String: String] = [:], method: String = "GET") async throws -> Answer {
    try await send(method, path, headers, nil)
  }

  func post(_ path: String, _ fields: [String: String], headers: [String: String] = [:]) async throws -> Answer {
    let form = fields.map { "\($0.key.pathEscaped)=\($0.value.pathEscaped)" }.joined(separator: "&")
    return try await post(path, body: form, type: "application/x-www-form-urlencoded", headers: headers)
  }

  func post(_ path: String, body: String, type: String, headers: [String: String] = [:]) async throws -> Answer {
    try await send("POST", path, headers.merging(["Content-Type": type]) { $1 }, Data(body.utf8))
  }

  func put(_ path: String, body: String, type: String, headers: [String: String] = [:]) async throws -> Answer {
    try await send("PUT", path, headers.merging(["Content-Type": type]) { $1 }, Data(body.utf8))
  }

  private func send(_ method: String, _ path: String, _ headers: [String: String], _ body: Data?) async throws -> Answer
  {
    var request = URLRequest(url: try #require(URL(string: path.hasPrefix("http") ? path : base + path)))
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: .ephemeral, delegate: Still(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    let named = answer.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
    return Answer(status: answer.statusCode, headers: Dictionary(named) { $1 }, data: data)
  }
}

/// Stays where a redirect was answered: the tests look at the redirect itself.
private final class Still: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _: URLSession,
    task _: URLSessionTask,
    willPerformHTTPRedirection _: HTTPURLResponse,
    newRequest _: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}

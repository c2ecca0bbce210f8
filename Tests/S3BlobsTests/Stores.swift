import Blobs
import Folders
import Foundation
import HTTP
import S3Server
import Synchronization
import Testing

@testable import S3Blobs

/// A bucket of the test's server, and what has to live as long as its stores.
struct TestBucket {
  let server: S3Server
  let address: S3Address
  let scratch: Scratch

  init() throws {
    (server, scratch) = (try S3Server.shared(), try Scratch())
    address = try #require(S3Address("s3://\(server.newBucket())/p"))
  }

  /// A store as another process would have it: it shares nothing with others but its folder's name, if that is given.
  ///
  /// - Parameters:
  ///   - before: Is called before each request.
  ///   - losesAnswer: Whether the connection ends after the service has carried out the request.
  func store(
    _ user: S3Server.User = .owner, limits: S3Limits = S3Limits(), cacheLimit: Int = 0, folder: String? = nil,
    before: (@Sendable (Request) -> Void)? = nil, losesAnswer: (@Sendable (Request) -> Bool)? = nil
  ) -> S3Blobs {
    let own = folder ?? "\(scratch.path)/\(UUID().uuidString)"
    var environment = server.environment(in: own, cacheLimit: cacheLimit)
    if before != nil || losesAnswer != nil {
      let inner = environment.client
      environment.client = BlockingClient { request, sink throws(TransportError) in
        before?(request)
        let answer = try inner.send(request, sink)
        if losesAnswer?(request) == true { throw .cut(host: "the service") }
        return answer
      }
    }
    let configuration = server.configuration(user)
    return S3Blobs(address, environment, limits: limits) { configuration }
  }
}

/// A service of a few lines: it answers each request by a function, and remembers them all.
final class SmallService: Sendable {
  private let requests = Mutex<[Request]>([])
  private let pauses = Mutex<[Duration]>([])
  private let answer: @Sendable (Request, _ number: Int) throws(TransportError) -> Response
  let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  init(_ answer: @escaping @Sendable (Request, _ number: Int) throws(TransportError) -> Response) {
    self.answer = answer
  }

  var asked: [Request] { requests.withLock(\.self) }
  var waits: [Duration] { pauses.withLock(\.self) }

  /// A client of it.
  func client(
    endpoint: String? = "https://s3.example", region: String = "us-east-1"
  ) throws -> S3Client {
    let client = BlockingClient { request, _ throws(TransportError) in
      let number = self.requests.withLock { requests in
        requests.append(request)
        return requests.count
      }
      return try self.answer(request, number)
    }
    let time = BlockingTime(
      now: { self.now.withLock(\.self) },
      pause: { pause in
        self.pauses.withLock { $0.append(pause) }
        self.now.withLock { $0 += pause / .seconds(1) }
      }, chance: { 0.5 })
    let configuration = S3Configuration(
      credentials: S3Credentials(accessKey: "AK", secretKey: Secret("very-secret")), region: region,
      endpoint: endpoint.flatMap(S3Endpoint.init))
    return S3Client(try #require(S3Address("s3://pictures/p")), { configuration }, client, time)
  }

  /// An answer with the service's code.
  static func refusal(_ status: Int, _ code: String, _ headers: Headers = [:]) -> Response {
    Response(status: status, headers: headers, body: Array("<?xml?><Error><Code>\(code)</Code></Error>".utf8))
  }
}

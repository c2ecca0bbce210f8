import Blobs
import FoundationEssentials
import HTTP
import Posts
import Synchronization

/// A time by a service's clock.
struct ServiceTime: Sendable, Comparable {
  let date: Date

  static func < (one: ServiceTime, other: ServiceTime) -> Bool { one.date < other.date }
}

/// Sends requests to one bucket: signs them, repeats them after transient failures, and explains the rest.
final class S3Client: Sendable {
  /// What the service taught about itself.
  private struct Knowledge {
    var region: String
    /// How many seconds the service's clock is ahead.
    var clockDifference: TimeInterval = 0
  }

  let address: S3Address
  private let configuration: S3Configuration
  private let client: BlockingClient
  let time: BlockingTime
  private let knowledge: Mutex<Knowledge>
  private let policy: RetryPolicy

  init(
    _ address: S3Address, _ configuration: S3Configuration, _ client: BlockingClient, _ time: BlockingTime,
    policy: RetryPolicy = RetryPolicy(tries: 5, firstWait: .milliseconds(500))
  ) {
    (self.address, self.configuration, self.client) = (address, configuration, client)
    (self.time, self.policy) = (time, policy)
    knowledge = Mutex(Knowledge(region: configuration.region))
  }

  /// Sends a request.
  ///
  /// - Parameter accepted: Statuses besides 2xx that are answers and no failures.
  /// - Throws: `BlobError` for every other status, and if there is no answer.
  func send(
    _ call: S3Call, accepting accepted: Set<Int> = [], to sink: (any ByteSink)? = nil
  ) throws(BlobError) -> Response {
    let start = time.now()
    var (effort, hasLearnt) = (RetryPolicy.Effort(tries: 0), false)
    while true {
      let used = knowledge.withLock(\.self)
      let outcome = attempt(call, sink)
      let now = time.now()
      if case .success(let answer) = outcome {
        if (200..<300).contains(answer.status) || accepted.contains(answer.status) { return answer }
        // Once: a service that always answers so would be asked without end.
        if !hasLearnt, learn(from: answer, call, used, now) {
          hasLearnt = true
          continue
        }
      }
      effort.tries += 1
      effort.elapsed = .milliseconds(Int(max(0, now.timeIntervalSince(start)) * 1000)) - effort.waited
      let verdict = policy.verdict(
        on: S3Fault.asTransient(outcome), of: call.method == .post ? .put : call.method, after: effort, now: now,
        chance: time.chance())
      guard case .retry(let wait, let asked) = verdict else { throw fault(outcome, call) }
      if asked { effort.waited += wait }
      time.pause(wait)
    }
  }

  /// The address under which anybody can read an object until it expires.
  func readingAddress(ofKey key: String, for seconds: Int) -> String {
    let now = ServiceTime(date: time.now() + knowledge.withLock(\.clockDifference))
    return leased(S3Call(.get, key), seconds, now)
  }

  /// The time of an answer by the service's clock.
  func time(of answer: Response) -> ServiceTime {
    ServiceTime(date: answer.date("Date") ?? time.now() + knowledge.withLock(\.clockDifference))
  }

  private func attempt(_ call: S3Call, _ sink: (any ByteSink)?) -> Result<Response, TransportError> {
    do throws(TransportError) {
      return .success(try client.send(request(call), sink))
    } catch { return .failure(error) }
  }

  // MARK: Requests

  private var region: String { knowledge.withLock(\.region) }

  /// The host, and what all paths begin with.
  private var base: (endpoint: S3Endpoint, host: String, path: String) {
    let endpoint = configuration.endpoint ?? .amazon(region)
    // A certificate for all names below a host covers no name with a dot in it.
    let isVirtual = configuration.isVirtualHosted ?? (configuration.endpoint == nil && !address.bucket.contains("."))
    return isVirtual
      ? (endpoint, "\(address.bucket).\(endpoint.authority)", endpoint.path)
      : (endpoint, endpoint.authority, "\(endpoint.path)/\(address.bucket)")
  }

  private func subject(_ call: S3Call) -> (subject: SignatureV4.Subject, address: String) {
    let (endpoint, host, start) = base
    let path = call.key.map { "\(start)/\(SignatureV4.path($0))" } ?? (start.isEmpty ? "/" : start)
    let subject = SignatureV4.Subject(
      method: call.method.rawValue, host: host, path: path, query: call.query, fields: call.fields)
    return (subject, "\(endpoint.scheme)://\(host)\(path)")
  }

  private func request(_ call: S3Call) -> Request {
    let (subject, address) = subject(call)
    var request = Request(
      call.method, call.query.isEmpty ? address : "\(address)?\(SignatureV4.canonical(call.query))",
      body: call.byteCount > 0 || call.method != .get ? call.body : nil, limit: call.limit, patience: call.patience,
      time: .seconds(120) + .milliseconds(call.byteCount / 50), redirects: .nowhere(isUserChosen: false))
    request.upload = call.upload?.bytes
    var fields = call.fields
    if let lease = call.lease {
      request.url = leased(call, lease.seconds, lease.begin)
    } else {
      fields += signature(at: time.now() + knowledge.withLock(\.clockDifference)).fields(
        for: subject, body: call.bodyHash)
    }
    for (name, value) in fields { request.headers[name] = value }
    if request.method == .put || request.method == .post {
      request.headers["Content-Type"] = "application/octet-stream"
    }
    return request
  }

  private func leased(_ call: S3Call, _ seconds: Int, _ begin: ServiceTime) -> String {
    let (subject, address) = subject(call)
    return "\(address)?\(signature(at: begin.date).query(for: subject, expiringAfter: seconds))"
  }

  private func signature(at date: Date) -> SignatureV4 {
    SignatureV4(credentials: configuration.credentials, region: region, date: date)
  }

  // MARK: Failures

  /// Learns the region or the time from a refusal. Returns whether another try may do better than one with what was known
  /// before: another thread may have learnt the same meanwhile.
  private func learn(from answer: Response, _ call: S3Call, _ used: Knowledge, _ now: Date) -> Bool {
    let fault = S3Fault(answer)
    if let told = fault.region, told != used.region {
      knowledge.withLock { $0.region = told }
      return true
    }
    guard fault.isAboutTime || answer.status == 403, call.lease == nil,
      let difference = answer.clockDifference(from: now),
      // A request that this machine slept over is too old with the right difference, too.
      fault.isAboutTime || abs(difference - used.clockDifference) > S3Fault.longestSkew
    else { return false }
    knowledge.withLock { $0.clockDifference = difference }
    return true
  }

  private func fault(_ outcome: Result<Response, TransportError>, _ call: S3Call) -> BlobError {
    let isWriting = call.method != .get && call.method != .head
    return switch outcome {
    case .success(let answer):
      S3Fault(answer).error(at: address, region: region, isWriting: isWriting)
    case .failure(.sink(let reason)): .io(location: address.description, reason: reason)
    case .failure(let error):
      .service(
        BlobServiceFault(
          .unavailable, location: address.description, reason: "the service cannot be reached (\(error.explanation))",
          cure: "check the network and AWS_ENDPOINT_URL_S3, or try again later"))
    }
  }
}

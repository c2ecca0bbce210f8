import Blobs
import FoundationEssentials
import HTTP
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
    /// With the region that the service told; nil before the first request.
    var configuration: S3Configuration?
    /// How many seconds the service's clock is ahead.
    var clockDifference: TimeInterval = 0
  }

  let address: S3Address
  private let configure: @Sendable () throws(S3ConfigurationError) -> S3Configuration
  private let client: BlockingClient
  let time: BlockingTime
  private let knowledge: Mutex<Knowledge>
  private let policy: RetryPolicy

  /// - Parameter configure: Finds the keys. It is called by the first request: who reads no bytes needs none.
  init(
    _ address: S3Address, _ configure: @escaping @Sendable () throws(S3ConfigurationError) -> S3Configuration,
    _ client: BlockingClient, _ time: BlockingTime,
    policy: RetryPolicy = RetryPolicy(tries: 5, firstWait: .milliseconds(500))
  ) {
    (self.address, self.configure, self.client) = (address, configure, client)
    (self.time, self.policy) = (time, policy)
    knowledge = Mutex(Knowledge())
  }

  /// Sends a request.
  ///
  /// - Parameter accepted: Statuses besides 2xx that are answers and no failures.
  /// - Throws: `BlobError` for every other status, and if there is no answer.
  func send(
    _ call: S3Call, accepting accepted: Set<Int> = [], to sink: (any ByteSink)? = nil
  ) throws(BlobError) -> Response {
    let start = time.now()
    var (effort, lessons): (RetryPolicy.Effort, Set<Lesson>) = (.init(tries: 0), [])
    while true {
      let (configuration, used) = (try configuration(), knowledge.withLock(\.clockDifference))
      let outcome = attempt(call, configuration, sink)
      let now = time.now()
      if case .success(let answer) = outcome {
        if (200..<300).contains(answer.status) || accepted.contains(answer.status) { return answer }
        // Each once: a service that always answers so would be asked without end.
        if let lesson = learn(from: answer, call, configuration, used, now), lessons.insert(lesson).inserted {
          continue
        }
      }
      effort.tries += 1
      effort.elapsed = .milliseconds(Int(max(0, now.timeIntervalSince(start)) * 1000)) - effort.waited
      let verdict = policy.verdict(
        on: S3Fault.asTransient(outcome), of: call.method == .post ? .put : call.method, after: effort, now: now,
        chance: time.chance())
      guard case .retry(let wait, let asked) = verdict else { throw fault(outcome, call, configuration.region) }
      if asked { effort.waited += wait }
      time.pause(wait)
    }
  }

  /// The address under which anybody can read an object until it expires.
  ///
  /// - Parameter query: What the service's answer is to say.
  /// - Throws: `BlobError.service` if no key is known.
  func readingAddress(
    ofKey key: String, answering query: [(String, String)] = [], for seconds: Int
  ) throws(BlobError) -> String {
    let now = ServiceTime(date: time.now() + knowledge.withLock(\.clockDifference))
    return leased(S3Call(.get, key, query), seconds, now, try configuration())
  }

  /// The origin of the bucket's addresses.
  func origin() throws(BlobError) -> String {
    let (endpoint, host, _) = base(try configuration())
    guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_:[]".contains($0)) }) else {
      throw .service(
        BlobServiceFault(
          .misconfigured, location: address.description, reason: "the name of its host has other characters than hosts",
          cure: "check AWS_ENDPOINT_URL_S3"))
    }
    return "\(endpoint.scheme)://\(host)"
  }

  /// The time of an answer by the service's clock.
  func time(of answer: Response) -> ServiceTime {
    ServiceTime(date: answer.date("Date") ?? time.now() + knowledge.withLock(\.clockDifference))
  }

  private func attempt(
    _ call: S3Call, _ configuration: S3Configuration, _ sink: (any ByteSink)?
  ) -> Result<Response, TransportError> {
    do throws(TransportError) {
      var answer = try client.send(request(call, configuration), sink)
      if call.mayFailLate, answer.status == 200, S3Document(answer.body).element("Error") != nil { answer.status = 500 }
      return .success(answer)
    } catch { return .failure(error) }
  }

  // MARK: Requests

  /// The keys, and where the service is.
  private func configuration() throws(BlobError) -> S3Configuration {
    if let known = knowledge.withLock(\.configuration) { return known }
    let found: S3Configuration
    do throws(S3ConfigurationError) { found = try configure() } catch {
      throw .service(
        BlobServiceFault(
          .misconfigured, location: address.description, reason: error.summary, cure: error.cure ?? "set it"))
    }
    return knowledge.withLock { knowledge in
      let known = knowledge.configuration ?? found
      knowledge.configuration = known
      return known
    }
  }

  /// The host, and what all paths begin with.
  private func base(_ configuration: S3Configuration) -> (endpoint: S3Endpoint, host: String, path: String) {
    let endpoint = configuration.endpoint ?? .amazon(configuration.region)
    // A certificate for all names below a host covers no name with a dot in it.
    let isVirtual = configuration.isVirtualHosted ?? (configuration.endpoint == nil && !address.bucket.contains("."))
    return isVirtual
      ? (endpoint, "\(address.bucket).\(endpoint.authority)", endpoint.path)
      : (endpoint, endpoint.authority, "\(endpoint.path)/\(address.bucket)")
  }

  private func subject(
    _ call: S3Call, _ configuration: S3Configuration
  ) -> (subject: SignatureV4.Subject, address: String) {
    let (endpoint, host, start) = base(configuration)
    let path = call.key.map { "\(start)/\(SignatureV4.path($0))" } ?? (start.isEmpty ? "/" : start)
    let subject = SignatureV4.Subject(
      method: call.method.rawValue, host: host, path: path, query: call.query, fields: call.fields)
    return (subject, "\(endpoint.scheme)://\(host)\(path)")
  }

  private func request(_ call: S3Call, _ configuration: S3Configuration) -> Request {
    let (subject, address) = subject(call, configuration)
    var request = Request(
      call.method, call.query.isEmpty ? address : "\(address)?\(SignatureV4.canonical(call.query))",
      body: call.byteCount > 0 || call.method != .get ? call.body : nil, limit: call.limit, patience: call.patience,
      time: .seconds(120) + .milliseconds(call.byteCount / 50), redirects: .nowhere(isUserChosen: false))
    request.upload = call.upload?.bytes
    var fields = call.fields
    if let lease = call.lease {
      request.url = leased(call, lease.seconds, lease.begin, configuration)
    } else {
      let now = time.now() + knowledge.withLock(\.clockDifference)
      fields += signature(configuration, at: now).fields(for: subject, body: call.bodyHash)
    }
    for (name, value) in fields { request.headers[name] = value }
    if request.method == .put || request.method == .post {
      request.headers["Content-Type"] = "application/octet-stream"
    }
    return request
  }

  private func leased(
    _ call: S3Call, _ seconds: Int, _ begin: ServiceTime, _ configuration: S3Configuration
  ) -> String {
    let (subject, address) = subject(call, configuration)
    return "\(address)?\(signature(configuration, at: begin.date).query(for: subject, expiringAfter: seconds))"
  }

  private func signature(_ configuration: S3Configuration, at date: Date) -> SignatureV4 {
    SignatureV4(credentials: configuration.credentials, region: configuration.region, date: date)
  }

  // MARK: Failures

  /// What a refusal teaches.
  private enum Lesson { case region, time }

  /// Learns the region or the time from a refusal. Returns which of them, if another try may do better than one with what was
  /// known before: another thread may have learnt the same meanwhile.
  ///
  /// - Parameters:
  ///   - configuration: With the region that was used.
  ///   - used: The difference of the clocks that was used, in seconds.
  private func learn(
    from answer: Response, _ call: S3Call, _ configuration: S3Configuration, _ used: TimeInterval, _ now: Date
  ) -> Lesson? {
    let fault = S3Fault(answer)
    if let told = fault.region, told != configuration.region {
      knowledge.withLock { $0.configuration?.region = told }
      return .region
    }
    guard fault.isAboutTime || answer.status == 403, call.lease == nil,
      let difference = answer.clockDifference(from: now),
      // A request that this machine slept over is too old with the right difference, too.
      fault.isAboutTime || abs(difference - used) > S3Fault.longestSkew
    else { return nil }
    knowledge.withLock { $0.clockDifference = difference }
    return .time
  }

  private func fault(
    _ outcome: Result<Response, TransportError>, _ call: S3Call, _ region: String
  ) -> BlobError {
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

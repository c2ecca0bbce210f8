import CCurl
import Synchronization

/// A request in progress, including its redirects.
///
/// The flag is atomic, and `request`, `sink` and `pace` never change. Everything else is written before the transfer is
/// passed to the driver under the inbox's lock, and only by the driver thread afterwards.
final class Transfer: @unchecked Sendable {
  /// Receives the result on the driver thread, once.
  typealias Completion = @Sendable (Result<Response, TransportError>) -> Void

  /// The transfer's state in the driver.
  enum State {
    case outside, waiting
    case running(UnsafeMutableRawPointer)
  }

  /// The maximum size in bytes of a body that only explains a failure.
  static let explanation = 64 << 10
  /// The maximum size of everything else in bytes and in fields: headers, headers of earlier answers, trailers.
  static let header = (bytes: 64 << 10, fields: 256)

  /// The most bytes of a download that came compressed: few bytes on the wire must not fill a disk.
  static let longestDecoded = 64 << 20

  let request: Request
  let sink: (any ByteSink)?
  let pace: MinimumThroughput?
  let isCancelled = Atomic(false)

  var completion: Completion?
  var state = State.outside
  var url: String
  var address: Address?
  /// Set when the driver starts the transfer.
  var neighbourhood: PrivateNetworkGuard?
  /// Whether the hop must not enter private networks.
  var isConfined = false
  /// Whether a proxy makes the connection.
  var isProxied = false
  /// The proxy that is set for the hop's scheme; nil if none.
  var proxy: ProxyAddress?
  var firstOrigin = ""
  /// What is set for the host of the current hop.
  var options = HostOptions()
  /// The requests that redirects answered so far: their URLs with the chain's cookies.
  var visited: Set<String> = []
  /// The cookies of this chain.
  var cookies = CookieJar()
  /// Whether a redirect led to another host, and so away from the cookies of a person's browser.
  var hasLeft = false
  var head = Response(status: 0)
  var headerBytes = 0
  /// Whether libcurl decodes what it can.
  var isDecoded = true
  /// Whether libcurl decodes the body.
  var decodes: Bool { isDecoded && (sink == nil || request.decodesDownload) }
  /// The number of content encodings announced so far.
  var contentEncodingCount = 0
  var received = 0
  /// Whether the header is complete. Fields that follow are trailers.
  var headEnded = false
  var inBody = false
  /// When the request was sent or the last bytes arrived; nil until the connection is established.
  var lastActivity: ContinuousClock.Instant?
  /// The time limit of the whole transfer; nil until it leaves the queue, and for a download without a limit.
  var end: ContinuousClock.Instant?
  /// Monitors a download from when the request was sent.
  var pacing: ThroughputMonitor?
  var begun = false
  /// Whether this program ended the body early and the answer still counts.
  var endedEarly = false
  var failure: TransportError?
  var fields: UnsafeMutablePointer<curl_slist>?
  /// The number of bytes of an upload that libcurl has read.
  var uploaded = 0
  let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// A `send` if there is no sink, or else a download that keeps this pace.
  init(_ request: Request, sink: (any ByteSink)?, pace: MinimumThroughput? = nil) {
    self.request = request
    self.sink = sink
    self.pace = pace
    url = request.url
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { errorBuffer.deallocate() }

  /// The host of the current hop.
  var host: String { address?.host ?? "" }

  /// Parses the URL. Returns false if the session cannot request it.
  func locate(_ curl: Curl) -> Bool {
    address = Address(url, curl)
    firstOrigin = address?.origin ?? ""
    return address != nil
  }

  /// Ends the transfer: calls its completion and clears it.
  func finish(_ result: Result<Response, TransportError>) {
    state = .outside
    completion?(result)
    completion = nil
  }
}

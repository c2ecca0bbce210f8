import CCurl
import Synchronization

/// One request on its way, hops included.
///
/// The flag is atomic and `request`, `sink` and `pace` never change. All else is written before the transfer is handed
/// over under the inbox's lock, and after that by the driver thread alone.
final class Transfer: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<Result<Response, TransportError>, Never>

  /// Where the driver has it.
  enum Place {
    case outside, waiting
    case running(UnsafeMutableRawPointer)
  }

  /// The most taken of a body that only explains a failure, in bytes.
  static let explanation = 64 << 10
  /// The most taken of what is no body, in bytes and in fields: headers, those of answers before the answer, trailers.
  static let header = (bytes: 64 << 10, fields: 256)

  let request: Request
  let sink: (any ByteSink)?
  let pace: Pace?
  let isCancelled = Atomic(false)

  var continuation: Continuation?
  var place = Place.outside
  var url: String
  var address: Address?
  /// Set when the driver takes it up.
  var neighbourhood: Neighbourhood?
  /// Whether the hop must not enter private networks.
  var isConfined = false
  /// Whether another machine connects for us.
  var isProxied = false
  var firstOrigin = ""
  var hops = 0
  var head = Response(status: 0)
  var headerBytes = 0
  /// How often the body is packed, as said so far.
  var packings = 0
  var received = 0
  /// Whether the header is whole: fields that come now are no part of it.
  var headEnded = false
  var inBody = false
  /// When the request was sent or the last bytes came; nil until the connection stands.
  var lastSign: ContinuousClock.Instant?
  /// When a `send` is over whatever comes; nil until its turn.
  var end: ContinuousClock.Instant?
  /// Of a download, from when the request was sent.
  var pacing: PaceKeeper?
  var begun = false
  /// Set where we ended the body early and the answer still counts.
  var enough = false
  var failure: TransportError?
  var fields: UnsafeMutablePointer<curl_slist>?
  let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// A `send` where there is no sink, else a download that keeps this pace.
  init(_ request: Request, sink: (any ByteSink)?, pace: Pace? = nil) {
    self.request = request
    self.sink = sink
    self.pace = pace
    url = request.url
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { words.deallocate() }

  /// The host it is now at.
  var host: String { address?.host ?? "" }

  /// Reads the URL; false when it is none we go to.
  func locate(_ curl: Curl) -> Bool {
    address = Address(url, curl)
    firstOrigin = address?.origin ?? ""
    return address != nil
  }

  /// Ends it: the continuation is resumed and gone.
  func finish(_ result: Result<Response, TransportError>) {
    place = .outside
    continuation?.resume(returning: result)
    continuation = nil
  }
}

import CCurl
import Synchronization

/// One request on its way, hops included.
///
/// The flag is atomic and `request` and `sink` never change. All else is written before the transfer is handed over
/// under the inbox's lock, and after that by the driver thread alone.
final class Transfer: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<Result<Response, TransportError>, Never>

  /// Where the driver has it.
  enum Place {
    case outside, waiting
    case running(UnsafeMutableRawPointer)
  }

  /// The most taken of a body that only explains a failure, in bytes.
  static let explanation = 64 << 10
  /// The most taken of an answer's header, in bytes and in fields.
  static let header = (bytes: 64 << 10, fields: 256)

  let request: Request
  let sink: (any ByteSink)?
  let isCancelled = Atomic(false)

  var continuation: Continuation?
  var place = Place.outside
  var url: String
  var address: Address?
  var firstOrigin = ""
  var hops = 0
  var head = Response(status: 0)
  var headerBytes = 0
  var received = 0
  var inBody = false
  /// When the request was sent or the last bytes came; nil until the connection stands.
  var lastSign: ContinuousClock.Instant?
  var begun = false
  /// Set where we ended the body early and the answer still counts.
  var enough = false
  var failure: TransportError?
  var fields: UnsafeMutablePointer<curl_slist>?
  let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init(_ request: Request, sink: (any ByteSink)?) {
    self.request = request
    self.sink = sink
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

  /// When silence has lasted too long, nil while the connection is still made.
  var deadline: ContinuousClock.Instant? { lastSign.map { $0 + patience } }

  /// The request's patience, within a day: what is added to a time must not leave its range.
  var patience: Duration { min(max(request.patience, .milliseconds(1)), .seconds(86_400)) }

  /// Ends it: the continuation is resumed and gone.
  func finish(_ result: Result<Response, TransportError>) {
    place = .outside
    continuation?.resume(returning: result)
    continuation = nil
  }
}

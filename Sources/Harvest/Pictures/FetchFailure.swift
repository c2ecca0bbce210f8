import Blobs
import FoundationEssentials
import HTTP

/// Why one address did not return the picture.
struct FetchFailure: Error {
  /// The reason as text, without a secret.
  let reason: String
  /// Whether the server reports that it is gone.
  var isGone = false
  /// Whether the host's other pictures would fail, too.
  var blamesHost = false
  /// Whether the whole file came, as far as the server knows, and its end is missing.
  var isCutShort = false
  /// The host that accepts no more requests, and until when; nil if that is not the reason.
  var limit: HostLimit?

  /// How long, in seconds, to pause a host that reports too many requests without a time.
  static let assumedLimit: TimeInterval = 900

  /// The host was skipped.
  static let leftAlone = FetchFailure(reason: "its host failed too often in this pull and is left alone for now")

  /// The host accepts no more requests until a time.
  static func limited(_ limit: HostLimit) -> FetchFailure {
    FetchFailure(.rateLimited(host: limit.host, until: limit.until, asked: limit.until))
  }

  /// A failure with its own text.
  init(reason: String) { self.reason = reason }

  /// No answer, or an incomplete body.
  init(_ error: TransportError) {
    reason = error.sentence
    switch error {
    case .unknownHost, .unreachable, .noTLS, .noHTTP, .timedOut, .endless, .untrusted: blamesHost = true
    case .rateLimited(let host, let until, _): limit = HostLimit(host: host, until: until)
    default: break
    }
  }

  /// An answer without success. Too many requests is not the host's fault.
  init(_ answer: Response, of host: String, now: Date) {
    let isChallenge = answer.protection == .challenge || (answer.protection != nil && answer.status == 403)
    reason = isChallenge ? "its protection refused this program" : "the server answers \(answer.status)"
    isGone = answer.status == 404 || answer.status == 410
    let isLimit = !isChallenge && [420, 429].contains(answer.status)
    let until =
      RateObservation(answer, now: now)?.closedUntil ?? (isLimit ? now.addingTimeInterval(Self.assumedLimit) : nil)
    limit = until.map { HostLimit(host: host, until: $0) }
    blamesHost = limit == nil && (isChallenge || answer.status >= 500 || answer.status == 408)
  }

  /// The bytes are not what was expected.
  init(_ fault: MediaFault) { (reason, isCutShort) = (fault.reason, fault == .cutShort) }
}

extension MediaFault {
  fileprivate var reason: String {
    switch self {
    case .empty: "it is empty"
    case .html: "it is a web page"
    case .wrongLength(let announced, let came): "\(came) of \(announced) bytes came"
    case .cutShort: "it is cut short"
    case .notAnImage: "it is not a picture"
    case .badSize: "it has no size a picture can have"
    }
  }
}

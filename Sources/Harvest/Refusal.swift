import Blobs
import Foundation
import HTTP

/// Why one place did not give the picture.
struct Refusal: Error {
  /// In words, without a secret.
  let reason: String
  /// Whether the server says it is there no longer.
  var isGone = false
  /// Whether the host would have given no other picture either.
  var blamesHost = false
  /// Which host takes no more requests, and until when; nil where that is not the reason.
  var limit: HostLimit?

  /// How long, in seconds, a host is left alone that says that too much was asked for, and not when to come back.
  static let untoldLimit: TimeInterval = 900

  /// The host was not asked.
  static let leftAlone = Refusal(reason: "its host failed too often in this pull and is left alone for now")

  /// The host takes no more requests until a time, and is not asked before.
  static func limited(_ limit: HostLimit) -> Refusal {
    Refusal(.rateLimited(host: limit.host, until: limit.until, asked: limit.until))
  }

  /// In words of one's own.
  init(reason: String) { self.reason = reason }

  /// No answer came, or its body did not come whole.
  init(_ error: TransportError) {
    reason = error.sentence
    switch error {
    case .unknownHost, .unreachable, .timedOut, .untrusted: blamesHost = true
    case .rateLimited(let host, let until, _): limit = HostLimit(host: host, until: until)
    default: break
    }
  }

  /// An answer of a host came that is none of the good ones. One that says that too much was asked for is no fault of
  /// the host.
  init(_ answer: Response, of host: String, now: Date) {
    reason = "the server answers \(answer.status)"
    isGone = answer.status == 404 || answer.status == 410
    let isLimit = [420, 429].contains(answer.status)
    let until = RateNews(answer, now: now)?.closedUntil ?? (isLimit ? now.addingTimeInterval(Self.untoldLimit) : nil)
    limit = until.map { HostLimit(host: host, until: $0) }
    blamesHost = limit == nil && (answer.status >= 500 || answer.status == 408)
  }

  /// Bytes came that are not what they were to be.
  init(_ fault: MediaFault) { reason = fault.reason }
}

extension MediaFault {
  fileprivate var reason: String {
    switch self {
    case .empty: "it is empty"
    case .html: "it is a web page"
    case .wrongLength(let announced, let came): "\(came) of \(announced) bytes came"
    case .cutShort: "its end is missing"
    case .notAnImage: "it is no picture"
    case .badSize: "it has no size a picture can have"
    }
  }
}

import Blobs
import Terminal

/// Why there is no derivative.
public enum DerivativeError: Error, Sendable, Hashable {
  /// The library has no such blob.
  case missing
  /// The blob is sound, which has no picture.
  case sound
  /// The blob is no picture, or a damaged one, or it ended the program that decodes. The text ends a sentence. The blob is
  /// not tried again for an hour.
  case undecodable(String)
  /// Nothing can be made now, whatever the blob: a program is not installed, or the library cannot be read. The text ends a
  /// sentence.
  case unavailable(String)
  /// So many newer requests came that this one was dropped. It may be repeated.
  case superseded
  /// The caller was cancelled.
  case cancelled

  /// One sentence for the person who sees no picture.
  public var message: String {
    switch self {
    case .missing: "This picture is not stored."
    case .sound: "This is sound, which has no picture."
    case .undecodable(let reason): "This picture cannot be shown: \(Self.clause(reason))."
    case .unavailable(let reason): "No small pictures can be made: \(Self.clause(reason))."
    case .superseded: "Too many pictures were asked for at once."
    case .cancelled: "Nobody waits for this picture."
    }
  }

  /// Whether the same blob fails again if it is tried again at once.
  var isLasting: Bool {
    switch self {
    case .undecodable, .sound: true
    case .missing, .unavailable, .superseded, .cancelled: false
    }
  }

  // A decoder that a hostile picture took over may have written it.
  private static func clause(_ reason: String) -> String { SafeText(reason).prefix(300).text }

  init(_ error: BlobError) {
    if case .missing = error { self = .missing } else { self = .unavailable(Self.reason(error)) }
  }

  /// A failure of the disk, as the end of a sentence.
  static func reason(_ error: BlobError) -> String {
    switch error {
    case .missing(let blob): "\(blob) is missing"
    case .full(let location): "\(location) is on a full disk"
    case .readOnly(let location): "\(location) is not writable"
    case .service(let fault): "\(fault.location): \(fault.reason)"
    case .io(let location, let reason): "\(location): \(reason)"
    }
  }
}

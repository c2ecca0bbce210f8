import Blobs
import Machine
import Posts

extension BlobError: ExplainedError {
  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .full(let location): FullDisk.summary(location)
    case .readOnly(let location): "\(location) may not be written"
    case .missing(let id): "\(id.path) is missing from the library"
    case .service(let fault): "\(fault.location) cannot be used, since \(fault.reason)"
    case .io(let location, let reason): "\(location) cannot be read or written (\(reason))"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .full: FullDisk.cure
    case .readOnly(let location) where location.hasPrefix("s3://"):
      "allow the key to write there, or name another place"
    case .readOnly: "check who owns it, or choose another folder with --library"
    case .service(let fault): fault.cure
    case .missing, .io: nil
    }
  }

  /// 69 if a service does not answer, 77 if it refuses this user, 78 if it is misconfigured, and 74 for the rest.
  public var exitCode: ExitCode {
    guard case .service(let fault) = self else { return .storage }
    return switch fault.kind {
    case .unavailable: .unavailable
    case .refused: .needsLogin
    case .misconfigured: .configuration
    }
  }
}

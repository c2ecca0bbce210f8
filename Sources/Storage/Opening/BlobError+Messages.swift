import Blobs
import Posts

extension BlobError: ExplainedError {
  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .full(let location): FullDisk.summary(location)
    case .readOnly(let location): "\(location) may not be written"
    case .missing(let id): "\(id.path) is missing from the library"
    case .io(let location, let reason): "\(location) cannot be read or written (\(reason))"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .full: FullDisk.cure
    case .readOnly: "check who owns it, or choose another folder with --library"
    case .missing, .io: nil
    }
  }

  /// Always 74.
  public var exitCode: ExitCode { .storage }
}

import Blobs
import Posts

extension BlobError: ExplainedError {
  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .full(let folder): FullDisk.summary(folder)
    case .readOnly(let folder): "\(folder) may not be written"
    case .missing(let id): "\(id.path) is missing from the library"
    case .io(let path, let reason): "\(path) cannot be read or written (\(reason))"
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

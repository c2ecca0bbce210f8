import Blobs
import Posts
import Storage

/// Why a library cannot be backed up into a folder.
public enum BackupError: ExplainedError, Equatable {
  /// The folder is the library, lies in it, or holds it.
  case overlap(String)
  /// The folder holds something else.
  case notABackup(String)
  /// The folder holds a library that no backup made.
  case isLibrary(String)
  /// The folder holds the backup of another library.
  case another(String)
  /// Something was added or changed in the backup itself.
  case used(String)
  /// The library is older than its backup: an earlier state of it was put in its place.
  case older(String)
  /// The folder in which the backup's would be made does not exist.
  case noParent(String)
  /// A backup was in this folder once.
  case gone(String)
  /// The backup's own description cannot be read.
  case unreadable(String)
  /// Another backup into the folder is running.
  case busy(String)
  /// A program uses the backup as its library.
  case open(String)
  /// The library's pictures cannot be found.
  case noPictures(String)
  /// The folder may not be written.
  case readOnly(String)

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .overlap(let path): "\(path) cannot hold the backup: the library and it would lie in one another"
    case .notABackup(let path): "\(path) holds other files and is no backup"
    case .isLibrary(let path): "\(path) is a library of its own and no backup"
    case .another(let path): "\(path) is the backup of another library"
    case .used(let path): "\(path) was changed as a library since it was backed up to"
    case .older(let path): "the library is older than its backup in \(path)"
    case .noParent(let path): "there is no folder \(path)"
    case .gone(let path): "the backup is no longer in \(path)"
    case .unreadable(let path): "\(path) cannot be understood"
    case .busy(let path): "another backup into \(path) is running"
    case .open(let path): "another program has the backup in \(path) open"
    case .noPictures(let path): "\(path) is missing, where the library's pictures are"
    case .readOnly(let path): "\(path) may not be written"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .overlap, .notABackup, .isLibrary, .another: "name a new or empty folder"
    case .used, .older: "it is left as it is; name a new folder"
    case .noParent: "see whether its disk is mounted, or make the folder"
    case .gone: "see whether its disk is mounted, or begin anew with --new"
    case .unreadable: "name a new folder, or remove that file's folder if nothing in it is needed"
    case .busy, .open: "try again when it is done"
    case .noPictures: "put the folder back, or see whether its disk is mounted"
    case .readOnly: "see who owns it and how its disk is mounted, or name another folder"
    }
  }

  /// 64 for a wrong folder, 75 if waiting helps, 74 for the rest.
  public var exitCode: ExitCode {
    switch self {
    case .overlap, .notABackup, .isLibrary, .another: .usage
    case .busy, .open: .tryLater
    case .used, .older, .noParent, .gone, .unreadable, .noPictures, .readOnly: .storage
    }
  }
}

extension BackupError {
  /// What a failure of the store or of the blobs means if it is about the backup's folder; nil if it is about the library.
  init?(_ error: any Error, in folder: String) {
    switch error {
    case StorageError.readOnly(let path) where path.hasPrefix(folder): self = .readOnly(path)
    case StorageError.busy(let path) where path.hasPrefix(folder): self = .open(folder)
    // A bucket has no owner and no disk.
    case BlobError.readOnly where folder.hasPrefix("s3://"): return nil
    case BlobError.readOnly(let path) where path.hasPrefix(folder): self = .readOnly(path)
    default: return nil
    }
  }
}

import Blobs
import Glibc
import Machine
import Posts

/// The `locks` folder of a library, reached through its open directory: after a rename the locks are still those of this
/// library, never those of another one with its former name.
struct LockFolder: Sendable {
  private let library: OpenDirectory

  init(library: OpenDirectory) { self.library = library }

  /// Opens the file of a lock; creates the file and the folder if missing.
  func open(_ name: String) throws -> LockFile {
    let folder = "\(library.path)/locks"
    mkdir(folder, 0o700)
    let file = Glibc.open("\(folder)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw LockError(folder: "\(library.name)/locks", code: errno) }
    return LockFile(file)
  }

  /// Whether any process holds a lock. Nobody does if its file does not exist.
  func isLocked(_ name: String) -> Bool {
    let file = Glibc.open("\(library.path)/locks/\(name)", O_RDWR | O_CLOEXEC)
    return file >= 0 && !LockFile(file).lock()
  }
}

/// A lock cannot be created.
struct LockError: ExplainedError {
  let folder: String
  /// The system's error number.
  let code: Int32

  var summary: String {
    if FullDisk.isReason(code) { return FullDisk.summary(folder) }
    return "no lock can be made in \(folder) (\(String(cString: strerror(code))))"
  }
  var cure: String? { FullDisk.isReason(code) ? FullDisk.cure : "check who owns the library" }
  var exitCode: ExitCode { .storage }
}

/// A file that carries a lock of the library, held until this is released.
public final class LockFile: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Closing alone is not enough: a process that is just being started has the file open, too, until it runs its program.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Locks the file. Without locks in the file system this always succeeds: then the user must run one process at a time,
  /// and the store still rejects what would overwrite another pull's edge.
  ///
  /// - Returns: False if another process holds the lock.
  func lock(_ kind: Int32 = LOCK_EX | LOCK_NB) -> Bool {
    flock(descriptor, kind) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }
}

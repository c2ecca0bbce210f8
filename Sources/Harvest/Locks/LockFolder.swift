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
  func open(_ name: String) throws -> Int32 {
    let folder = "\(library.path)/locks"
    mkdir(folder, 0o700)
    let file = Glibc.open("\(folder)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw LockError(folder: "\(library.name)/locks", code: errno) }
    return file
  }

  /// Opens the file of a lock; nil if it does not exist and so nobody holds it.
  func openIfThere(_ name: String) -> Int32? {
    let file = Glibc.open("\(library.path)/locks/\(name)", O_RDWR | O_CLOEXEC)
    return file < 0 ? nil : file
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

/// A file that carries a lock of the library.
enum LockFile {
  /// Locks the file. Without locks in the file system this always succeeds: then the user must run one process at a time,
  /// and the store still rejects what would overwrite another pull's edge.
  ///
  /// - Returns: False if another process holds the lock.
  static func lock(_ file: Int32, _ kind: Int32 = LOCK_EX | LOCK_NB) -> Bool {
    flock(file, kind) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }

  /// Releases the lock and closes the file. Closing alone is not enough: a process that is just being started has the file
  /// open, too, until it runs its program.
  static func letGo(_ file: Int32) {
    flock(file, LOCK_UN)
    close(file)
  }
}

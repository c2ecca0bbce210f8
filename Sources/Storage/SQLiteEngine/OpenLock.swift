import Glibc
import Synchronization

/// A lock that shows, while it is locked, that a process has the library open.
///
/// A kernel lock ends with its process, however that ends: a write-ahead log beside a library that no process has open was
/// left by an unclean exit. It is locked inside the serialized opening.
final class OpenLock: Sendable {
  private let file: Mutex<Int32>
  private let folder: String
  /// Whether no other process had the library open when this lock was acquired.
  let isFirst: Bool

  /// Locks the library in a folder. Nil if no lock file can be created.
  init?(library: String) {
    folder = "\(library)/locks"
    mkdir(folder, 0o700)
    let file = Glibc.open("\(folder)/open", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    isFirst = flock(file, LOCK_EX | LOCK_NB) == 0
    // No process keeps the exclusive lock for longer than another's opening takes.
    _ = flock(file, LOCK_SH)
    self.file = Mutex(file)
  }

  deinit { release() }

  /// Releases the lock.
  func release() {
    file.withLock { file in
      if file >= 0 { close(file) }
      file = -1
    }
  }

  /// Whether an unclean exit is recorded that no check has followed.
  var isMarked: Bool { access(mark, F_OK) == 0 }

  /// Records an unclean exit for the next open for writing: reading removes its traces.
  func setMark() {
    let file = Glibc.open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Removes the record.
  func clearMark() { unlink(mark) }

  private var mark: String { "\(folder)/unclean" }
}

import Glibc
import Synchronization

/// Says of a library, for as long as it is held, that a process has it open.
///
/// A kernel lock, which ends with its process however that ends: a write-ahead log beside a library that nobody has open
/// was left by a process that could not end as it should. Held from within the opening, where one goes after another.
final class OpenLock: Sendable {
  private let file: Mutex<Int32>
  private let folder: String
  /// Whether no other process had the library open when this lock was taken.
  let isFirst: Bool

  /// Takes the lock of the library in a folder; nil where no lock can be made.
  init?(library: String) {
    folder = "\(library)/locks"
    mkdir(folder, 0o700)
    let file = Glibc.open("\(folder)/open", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    isFirst = flock(file, LOCK_EX | LOCK_NB) == 0
    // Nobody keeps the whole lock for longer than another's opening takes.
    _ = flock(file, LOCK_SH)
    self.file = Mutex(file)
  }

  deinit { release() }

  /// Lets go.
  func release() {
    file.withLock { file in
      if file >= 0 { close(file) }
      file = -1
    }
  }

  /// Whether an unclean end is noted that no check has followed yet.
  var isMarked: Bool { access(mark, F_OK) == 0 }

  /// Notes an unclean end for whoever opens the library to write: reading tidies the traces away.
  func setMark() {
    let file = Glibc.open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Forgets it.
  func clearMark() { unlink(mark) }

  private var mark: String { "\(folder)/unclean" }
}

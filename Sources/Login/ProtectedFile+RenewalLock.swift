import Glibc
import HTTP
import Machine

extension ProtectedFile {
  /// A lock for work longer than a change of the file, such as a request to a server. It is a kernel lock: it ends with
  /// the process, however that ends.
  final class RenewalLock: Sendable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    deinit { close(file) }
  }

  /// How often a lock held by another process is tried again.
  private static let pause = Duration.milliseconds(50)

  /// Waits for the lock. Others can still read and change the file itself.
  func holdTurn(_ time: TimeSource) async throws -> RenewalLock {
    let path = "\(folder)/\(PathText.stem(of: name)).renewal.lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw AccountsError(writing: path, code: errno) }
    let turn = RenewalLock(file: file)
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw AccountsError(writing: path, code: errno)
      }
      try await time.sleep(Self.pause)
    }
    return turn
  }
}

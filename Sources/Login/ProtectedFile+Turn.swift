import Foundation
import HTTP

extension ProtectedFile {
  /// One process's turn at what takes longer than a change of the file, such as a question to a server. A kernel lock: it
  /// ends with the process, however that ends.
  final class Turn: Sendable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    deinit { close(file) }
  }

  /// How often a turn that another process has is asked for again.
  private static let pause = Duration.milliseconds(50)

  /// Waits for the turn. The file itself can be read and changed by others meanwhile.
  func holdTurn(_ time: Timekeeper) async throws -> Turn {
    let path = "\(folder)/\((name as NSString).deletingPathExtension).renewal.lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw AccountsError(writing: path, code: errno) }
    let turn = Turn(file: file)
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw AccountsError(writing: path, code: errno)
      }
      try await time.sleep(Self.pause)
    }
    return turn
  }
}

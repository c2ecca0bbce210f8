import Glibc
import Synchronization

/// A folder that is held open from the first moment it is there: what is done in it by `path` is done in that folder
/// even when it is renamed, and never in another one that has its name by then.
public final class HeldFolder: Sendable {
  /// The folder as it was named, for people to read.
  public let name: String
  private let file = Mutex<Int32>(-1)

  /// Holds the folder of a name, or waits for it to be made.
  public init(_ name: String) {
    self.name = name
    hold()
  }

  deinit { file.withLock { if $0 >= 0 { close($0) } } }

  /// Whether the folder is held. Without /proc it never is, and its name is all there is.
  public var isHeld: Bool { file.withLock { $0 >= 0 } }

  /// Where the folder is, whatever it is called by now. See proc(5), `/proc/[pid]/fd`.
  public var path: String { hold() ?? name }

  /// Holds the folder from now on where it is there; says where it is.
  @discardableResult
  public func hold() -> String? {
    file.withLock { file in
      if file < 0, access("/proc/self/fd", X_OK) == 0 {
        file = open(name, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)  // O_PATH, a macro Swift does not see
      }
      return file < 0 ? nil : "/proc/self/fd/\(file)"
    }
  }
}

import Glibc
import Synchronization

/// A folder that stays open from the moment that it exists. `path` refers to that folder even after it is renamed, and
/// never to another folder that has its name by then.
public final class OpenDirectory: Sendable {
  /// The folder's path as it was given, to show to people.
  public let name: String
  private let file = Mutex<Int32>(-1)

  /// Opens the folder, or waits until it is created.
  public init(_ name: String) {
    self.name = name
    openIfPresent()
  }

  deinit { file.withLock { if $0 >= 0 { close($0) } } }

  /// Whether the folder is open. Without /proc it never is, and only its name can be used.
  public var isOpen: Bool { file.withLock { $0 >= 0 } }

  /// The folder's path, whatever its name is by now. See proc(5), `/proc/[pid]/fd`.
  public var path: String { openIfPresent() ?? name }

  /// Opens the folder if it exists and is not open yet.
  ///
  /// - Returns: its path; nil if it is not open.
  @discardableResult
  public func openIfPresent() -> String? {
    file.withLock { file in
      if file < 0, access("/proc/self/fd", X_OK) == 0 {
        file = open(name, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)  // O_PATH, a macro that Swift does not import
      }
      return file < 0 ? nil : "/proc/self/fd/\(file)"
    }
  }
}

import Glibc
import Synchronization

/// Wakes one thread when any process writes to files of a folder, and when `ring` is called.
final class DirectoryWatcher: Sendable {
  private let folder: String?
  /// Negative until the folder is watched.
  private let notify = Atomic<Int32>(-1)
  /// The pipe's read end and write end.
  private let readEnd: Int32
  private let writeEnd: Int32

  /// Without a folder, or if the system cannot watch it, only `ring` wakes.
  init(folder: String?) {
    self.folder = folder
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit { for file in [notify.load(ordering: .relaxed), readEnd, writeEnd] where file >= 0 { close(file) } }

  /// Whether the system reports writes to the folder.
  var isWatching: Bool { notify.load(ordering: .acquiring) >= 0 }

  /// Starts to watch the folder. Call it once. Ending the watch takes the kernel some 15 ms (it waits for all that may
  /// still use the watch), so a command that observes nothing must not start it.
  func watch() {
    guard let folder else { return }
    let file = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard file >= 0 else { return }
    _ = inotify_add_watch(file, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    notify.store(file, ordering: .releasing)
  }

  /// Ends the current wait, or the next one.
  func ring() {
    // A full pipe wakes as well.
    var mark: UInt8 = 1
    _ = write(writeEnd, &mark, 1)
  }

  /// Waits. Returns whether it was woken before the timeout, in milliseconds.
  ///
  /// - Parameter file: A further file that wakes when something can be read from it; negative for none.
  func wait(milliseconds: Int32, orFor file: Int32 = -1) -> Bool {
    var files = [readEnd, notify.load(ordering: .acquiring), file]
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return false }
    drain()
    return true
  }

  /// The events do not matter: the woken thread reads the library itself.
  private func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      for file in [readEnd, notify.load(ordering: .acquiring)] where file >= 0 {
        while read(file, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  }
}

import Glibc

/// A time to the nanosecond. The times that the kernel gives files by itself are some milliseconds apart.
struct FileTime: Comparable {
  /// UTIME_OMIT, a macro that Swift does not import.
  private static let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)

  private let nanoseconds: Int64

  /// The time of the machine, which is the clock of its files.
  static var now: FileTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(time)
  }

  init(_ time: timespec) { nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The next time that a file can have.
  var next: FileTime { FileTime(nanoseconds: nanoseconds + 1) }

  /// The time as a short text.
  var text: String { String(nanoseconds, radix: 36) }

  static func < (one: FileTime, other: FileTime) -> Bool { one.nanoseconds < other.nanoseconds }

  /// Sets the time of an open file. A failure leaves the kernel's own time.
  func write(to file: Int32) {
    var times = [Self.unchanged, value]
    _ = futimens(file, &times)
  }

  /// Sets the time of a file. Returns false if it does not exist.
  func write(to path: String) -> Bool {
    var times = [Self.unchanged, value]
    return utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT
  }

  private var value: timespec {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
  }
}

import CChafa
import Glibc

/// The resource limits of this process. Its pictures are untrusted, and decoders have had vulnerabilities.
enum Limits {
  private static let memory: rlim_t = 1 << 30
  private static let files: rlim_t = 32
  private static let seconds: rlim_t = 10

  /// Sets the limits before the first picture: memory, open files, no core dump, no new privileges. They are never
  /// relaxed.
  static func begin() {
    // Close files that the starting program left open.
    closefrom(3)
    limit(RLIMIT_AS, to: memory)
    limit(RLIMIT_NOFILE, to: files)
    limit(RLIMIT_CORE, to: 0)
    picture_drop_privileges()
  }

  /// Starts the time limits of one picture: 10 s of CPU time, and real time. After that the kernel ends the process, even if
  /// the starting program has ended.
  ///
  /// - Parameter seconds: The real time. It must do for reading and writing what may be long.
  static func beginPicture(seconds: UInt32 = 30) {
    var used = rusage()
    getrusage(RUSAGE_SELF.rawValue.signed, &used)
    var limit = rlimit()
    getrlimit(RLIMIT_CPU.rawValue.signed, &limit)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + Self.seconds)
    setrlimit(RLIMIT_CPU.rawValue.signed, &limit)
    alarm(seconds)
  }

  /// Ends the real-time limit of a picture.
  static func endPicture() { alarm(0) }

  private static func limit(_ resource: __rlimit_resource, to value: rlim_t) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource.rawValue.signed, &limit)
  }
}

extension FixedWidthInteger {
  /// The same bits: Swift imports C's enumerators as unsigned numbers.
  var signed: Int32 { Int32(truncatingIfNeeded: self) }
}

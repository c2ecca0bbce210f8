import CChafa
import Glibc

/// What this process may use: its pictures come from strangers, and its decoders have had holes.
enum Limits {
  private static let memory: rlim_t = 1 << 30
  private static let files: rlim_t = 32
  private static let seconds: rlim_t = 10

  /// Set before the first picture, never loosened: memory, open files, no core, no privileges to be won.
  static func begin() {
    // What an asking program left open is none of a picture's business.
    closefrom(3)
    limit(RLIMIT_AS, to: memory)
    limit(RLIMIT_NOFILE, to: files)
    limit(RLIMIT_CORE, to: 0)
    picture_drop_privileges()
  }

  /// Gives one picture its time: ten seconds of the processor, thirty of the clock, after which the kernel ends the
  /// process even where nobody is left to do so.
  static func beginPicture() {
    var used = rusage()
    getrusage(RUSAGE_SELF.rawValue.signed, &used)
    var limit = rlimit()
    getrlimit(RLIMIT_CPU.rawValue.signed, &limit)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + seconds)
    setrlimit(RLIMIT_CPU.rawValue.signed, &limit)
    alarm(30)
  }

  /// Ends the time of a picture.
  static func endPicture() { alarm(0) }

  private static func limit(_ resource: __rlimit_resource, to value: rlim_t) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource.rawValue.signed, &limit)
  }
}

extension FixedWidthInteger {
  fileprivate var signed: Int32 { Int32(truncatingIfNeeded: self) }
}

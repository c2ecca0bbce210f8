import Glibc

/// A process, in words for people: `archive-2, process 4711`.
enum ProcessName {
  /// This process.
  static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    let name =
      gethostname(&bytes, bytes.count - 1) == 0
      ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "an unknown machine"
    return "\(name), process \(getpid())"
  }
}

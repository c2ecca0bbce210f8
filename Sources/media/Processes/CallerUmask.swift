import Glibc
import Synchronization

/// The umask with which the program was started. Its own files are only for their owner; what a person asks it to write
/// elsewhere has the permissions that the person's other files have.
enum CallerUmask {
  private static let mask = Atomic<UInt32>(0o077)

  /// Makes new files of this process readable for their owner alone. The program's beginning calls it once.
  static func narrow() { mask.store(umask(0o077), ordering: .relaxed) }

  /// The permissions of a file that a person asked for.
  static var fileMode: mode_t { 0o666 & ~mask.load(ordering: .relaxed) }
}

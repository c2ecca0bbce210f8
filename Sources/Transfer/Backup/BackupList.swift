import FoundationEssentials
import Glibc

/// The folders that a library was backed up into, in its file `backups`, a path a line. If such a folder is empty one day,
/// its disk is not mounted: nothing must be written below it.
struct BackupList {
  private let path: String

  init(library: String) { path = "\(library)/backups" }

  /// Lets one backup into a service run at a time. Nil if another runs.
  func lock() -> BackupLock? {
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    let lock = BackupLock(file: file)
    return flock(file, LOCK_EX | LOCK_NB) == 0 ? lock : nil
  }

  func contains(_ folder: String) -> Bool { folders.contains(folder) }

  /// Adds a folder. A library that may not be written remembers none.
  func add(_ folder: String) {
    guard !folder.contains("\n"), !contains(folder) else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let line = Array("\(folder)\n".utf8)
    _ = write(file, line, line.count)
    close(file)
  }

  private var folders: [String] {
    guard let data = FileManager.default.contents(atPath: path), data.count < 1 << 20 else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

import FoundationEssentials
import Glibc
import Machine
import Storage

/// The folder of a backup: whether it may be one, what it says of itself, and its lock.
struct BackupFolder {
  /// Its path, as it was given.
  let path: String
  /// Where the store's copy is made before it gets its place. While it exists, a backup is unfinished.
  var draft: String { "\(path)/next" }

  private var markPath: String { "\(path)/\(BackupMark.fileName)" }

  /// Names of what stands at the root of an empty disk.
  private static let ofDisks: Set<String> = ["lost+found", "System Volume Information", ".Trash-1000", ".Trash-0"]
  /// What a backup that was killed at its beginning leaves.
  private static let ofBeginnings: Set<String> = ["media-backup.lock", "next", "blobs"]

  /// Finds out whether a library may be backed up into the folder. It creates nothing.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - library: The library's folder.
  init(_ path: String, beside library: String) throws {
    self.path = path
    let parent = PathText.parent(of: path)
    guard access(parent.isEmpty ? "." : parent, F_OK) == 0 else { throw BackupError.noParent(parent) }
    let own = Self.resolved(path) ?? Self.resolved(parent).map { "\($0)/\(PathText.name(of: path))" } ?? path
    let other = Self.resolved(library) ?? library
    guard !"\(own)/".hasPrefix("\(other)/"), !"\(other)/".hasPrefix("\(own)/") else { throw BackupError.overlap(path) }
  }

  /// Reads what the folder says of itself.
  ///
  /// - Returns: Nil if the folder is empty or absent.
  /// - Throws: `BackupError` if it holds anything else.
  func mark() throws -> BackupMark? {
    let file = open(markPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      guard errno == ENOENT else { throw failure(markPath) }
      try expectEmpty()
      return nil
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: BackupMark.mostBytes + 1)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw failure(markPath) }
    guard count <= BackupMark.mostBytes, let mark = BackupMark(Array(bytes[..<count])) else {
      throw BackupError.unreadable(markPath)
    }
    return mark
  }

  private func expectEmpty() throws {
    guard access(path, F_OK) == 0 else { return }
    let names = Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).subtracting(Self.ofDisks)
    if names.contains("media.sqlite") { throw BackupError.isLibrary(path) }
    // A folder of the name alone says little; the lock is ours.
    let isBeginning = names.contains("media-backup.lock") && names.isSubset(of: Self.ofBeginnings)
    guard names.isEmpty || isBeginning else { throw BackupError.notABackup(path) }
  }

  /// Creates the folder if it is absent, and locks it against other backups for as long as the result lives.
  func lock() throws -> BackupLock {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(path) }
    let file = open("\(path)/media-backup.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(path) }
    let lock = BackupLock(file: file)
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw BackupError.busy(path) }
    return lock
  }

  /// Writes what the folder says of itself, in one step. When this returns, it survives a loss of power.
  func write(_ mark: BackupMark) throws {
    let draft = "\(path)/\(BackupMark.fileName).part"
    if let code = replaceFile(markPath, by: try mark.bytes(), draft: draft) { throw failure(markPath, code) }
  }

  /// Whether an earlier backup was cut off.
  var isUnfinished: Bool { access(draft, F_OK) == 0 }

  /// Makes an empty folder for the store's copy.
  func makeDraft() throws {
    clearDraft()
    if mkdir(draft, 0o700) != 0, errno != EEXIST { throw failure(draft) }
  }

  /// Removes the copy that has no place yet.
  func clearDraft() { for side in ["", "-wal", "-shm", "-journal"] { unlink("\(draft)/media.sqlite\(side)") } }

  /// Says that the backup is finished.
  func removeDraft() {
    clearDraft()
    rmdir(draft)
  }

  private func failure(_ path: String, _ code: Int32 = errno) -> any Error {
    switch code {
    case EROFS, EACCES, EPERM: BackupError.readOnly(path)
    case _ where FullDisk.isReason(code): StorageError.full(path: path)
    default: StorageError.io(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// A path without links; nil if nothing is there.
  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { free(text) }
    let resolved = String(cString: text)
    return resolved == "/" ? "" : resolved
  }
}

/// Keeps other backups out of a folder while it lives.
final class BackupLock: Sendable {
  private let file: Int32

  init(file: Int32) { self.file = file }

  deinit {
    flock(file, LOCK_UN)
    close(file)
  }
}

import FoundationEssentials
import Glibc
import Machine

/// A file that gets its name only when it is whole.
final class Draft {
  let file: Int32
  private let folder: Int32
  private let shown: String
  /// Its name until then, where the file system has no files without one.
  private var temporary: String?

  /// What a kill may leave, on file systems that have no files without a name.
  private static let temporaryName = ".media-export.part"

  /// - Parameters:
  ///   - subfolder: The open folder.
  ///   - mode: The permissions.
  ///   - shown: The path to show to people.
  init(in subfolder: FilePlacing.Subfolder, mode: mode_t, shown: String) throws(FilesError) {
    (folder, self.shown) = (subfolder.file, shown)
    var opened = access("/proc/self/fd", X_OK) == 0 ? openUnnamedFile(in: ".", below: folder) : -1
    if opened < 0 {
      unlinkat(folder, Self.temporaryName, 0)
      opened = openat(folder, Self.temporaryName, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard opened >= 0 else { throw FilesError(shown, errno) }
      temporary = Self.temporaryName
    }
    file = opened
    fchmod(file, mode)
  }

  deinit {
    close(file)
    if let temporary { unlinkat(folder, temporary, 0) }
  }

  func write(_ bytes: [UInt8]) throws(FilesError) {
    if let code = writeAll(bytes, to: file) { throw FilesError(shown, code) }
  }

  /// Sets its time. A file system that knows no such time keeps the present.
  func set(time: Date) {
    let seconds = time.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    let moment = timespec(tv_sec: Int(whole), tv_nsec: Int(((seconds - whole) * 1000).rounded()) % 1000 * 1_000_000)
    var times = [moment, moment]
    _ = futimens(file, &times)
  }

  /// Gives it its name.
  ///
  /// - Returns: False if something has that name.
  func name(_ name: String) throws(FilesError) -> Bool {
    if let temporary {
      if linkat(folder, temporary, folder, name, 0) == 0 { return true }
      if errno == EEXIST { return false }
      // The file system has no links.
      if faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return false }
      guard renameat(folder, temporary, folder, name) == 0 else { throw FilesError(shown, errno) }
      self.temporary = nil
      return true
    }
    if nameFile(file, as: name, below: folder) { return true }
    guard errno == EEXIST else { throw FilesError(shown, errno) }
    return false
  }

  /// Gives it its name, also in place of another file.
  func replace(_ name: String) throws(FilesError) {
    if temporary == nil {
      unlinkat(folder, Self.temporaryName, 0)
      guard try self.name(Self.temporaryName) else { throw FilesError(shown, EEXIST) }
      temporary = Self.temporaryName
    }
    guard renameat(folder, temporary ?? name, folder, name) == 0 else { throw FilesError(shown, errno) }
    temporary = nil
  }
}

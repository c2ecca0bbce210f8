import Blobs
import FoundationEssentials
import Glibc
import Synchronization

/// Copies of files for other programs, in folders that only their owner can enter. A program may read its copy at any time
/// after it was started, so copies stay; those of a day before are removed when the next is made.
final class PrivateCopies: Sendable {
  private let blobs: any BlobStoring
  private let parent: String
  private let now: @Sendable () -> Date
  /// The folder of this process's copies, once created, and the time of the last copy.
  private let made = Mutex<(folder: String, last: Date)?>(nil)

  /// The time that a program needs to read its file, in seconds.
  private static let patience = 10.0
  /// How long copies are kept for programs that are still open, in seconds.
  private static let age = 86_400.0
  private static let prefix = "media-view."

  init(of blobs: any BlobStoring, environment: [String: String], now: @escaping @Sendable () -> Date) {
    (self.blobs, self.now) = (blobs, now)
    parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// Copies a blob to a file of that name, which only its owner can read.
  func copy(_ id: BlobID, named name: String) throws(ViewerError) -> String {
    let base = try folder()
    // Two files may have one name.
    let own = "\(base)/\(id.hex.prefix(16))"
    guard mkdir(own, 0o700) == 0 || errno == EEXIST else { throw .notCopied }
    let file = "\(own)/\(name)"
    unlink(file)
    do throws(BlobError) { try blobs.copy(id, to: file) } catch {
      if case .missing = error { throw .unreadable }
      throw .notCopied
    }
    return file
  }

  /// Removes this process's copies, except those that a program may not have read yet.
  func close() {
    made.withLock { made in
      guard let known = made, now().timeIntervalSince(known.last) > Self.patience else { return }
      try? FileManager.default.removeItem(atPath: known.folder)
      made = nil
    }
  }

  private func folder() throws(ViewerError) -> String {
    let folder = made.withLock { made -> String? in
      if made == nil {
        removeOld()
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        made = (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), now())
      }
      made?.last = now()
      return made?.folder
    }
    guard let folder else { throw .notCopied }
    return folder
  }

  /// Removes the copies of a day before. Others may write to the folder for temporary files, so only folders of this user
  /// that nobody else can enter are taken for copies.
  private func removeOld() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(Self.prefix) {
      var status = stat()
      let path = "\(parent)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
        status.st_mode & 0o077 == 0,
        now().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > Self.age
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

import FoundationEssentials
import Glibc
import Machine
import Transfer

/// A folder below the library's for what an extractor fetches, on the disk of the pictures. A locked file beside it says that it
/// is in use: what a killed run left is removed by the next one.
struct ExtractingFolder {
  /// The folder.
  let path: String
  /// The file, which stays locked as long as anybody holds it open.
  let lock: OpenFile

  private static let (name, ending) = ("extracting", ".lock")

  /// Makes one.
  ///
  /// - Parameter library: The library's folder.
  init(in library: String) throws {
    let parent = "\(library)/\(Self.name)"
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true, attributes: attributes)
    Self.removeLeftovers(in: parent)
    path = "\(parent)/\(UUID().uuidString)"
    lock = OpenFile(open(path + Self.ending, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    var status = stat()
    guard lock.descriptor >= 0, flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0, fstat(lock.descriptor, &status) == 0,
      // Another process may have taken it for a leftover before it was locked.
      status.st_nlink > 0
    else { throw ImportError.unreadable(path: path, reason: String(cString: strerror(errno))) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: attributes)
  }

  /// Removes it with all that is in it.
  func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    if !FileManager.default.fileExists(atPath: path) { unlink(path + ending) }
  }

  private static func removeLeftovers(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasSuffix(ending) {
      let file = OpenFile(open("\(parent)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
      guard file.descriptor >= 0, flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      remove("\(parent)/\(name.dropLast(ending.count))")
    }
  }
}

import CSync
import Glibc
import Machine

/// What was exported into a folder, in its file `.media-files`: a line for each file, with the first 16 digits of its
/// hash and its path. A later export knows by it which files are there, without reading them.
///
/// A line is written after its file is on the disk. A file without one is read and compared. So the index may be removed.
final class FileIndex {
  static let fileName = ".media-files"

  private let folder: ExportFolder
  private let file: Int32
  private var hashes: [String: UInt64] = [:]
  private var waiting = ""
  private var waitingCount = 0

  /// How many files are synced together.
  private static let batch = 500

  /// Reads the index of a folder.
  init(of folder: ExportFolder) throws(FilesError) {
    self.folder = folder
    file = openat(
      folder.descriptor, Self.fileName, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw FilesError("\(folder.path)/\(Self.fileName)", errno) }
    read()
  }

  deinit { close(file) }

  /// Whether these bytes were exported to this path.
  func has(_ path: String, hash: String) -> Bool { hashes[path].map { $0 == Self.number(hash) } ?? false }

  /// Adds a file.
  func add(_ path: String, hash: String) throws(FilesError) {
    guard !has(path, hash: hash), let number = Self.number(hash) else { return }
    hashes[path] = number
    waiting += "\(hash.prefix(16))\t\(path)\n"
    waitingCount += 1
    if waitingCount >= Self.batch { try flush() }
  }

  /// Writes what was added, once the files are on the disk.
  func flush() throws(FilesError) {
    guard waitingCount > 0 else { return }
    _ = sync_shim_file_system(folder.descriptor)
    if let code = writeAll(Array(waiting.utf8), to: file) {
      throw FilesError("\(folder.path)/\(Self.fileName)", code)
    }
    (waiting, waitingCount) = ("", 0)
  }

  private static func number(_ hash: String) -> UInt64? { UInt64(hash.prefix(16), radix: 16) }

  /// A line that was cut off, or is no line, says nothing. Of two lines for a path the later counts.
  private func read() {
    guard let stream = fdopen(dup(file), "r") else { return }
    defer { fclose(stream) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    var isEnded = true
    defer { free(line) }
    while getline(&line, &capacity, stream) > 0, let text = line.map({ String(cString: $0) }) {
      isEnded = text.hasSuffix("\n")
      let parts = text.dropLast().split(separator: "\t", maxSplits: 1)
      guard isEnded, parts.count == 2, parts[0].count == 16, let number = UInt64(parts[0], radix: 16) else { continue }
      hashes[String(parts[1])] = number
    }
    if !isEnded { _ = writeAll([0x0A], to: file) }
  }
}

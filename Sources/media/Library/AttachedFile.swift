import Blobs
import Glibc
import Machine
import Posts
import Storage

/// A user's file to be added to the library.
struct AttachedFile {
  /// The name to store; nil if it comes from another command, which names none.
  let name: String?
  private let shown: String
  private let file: OpenFile

  /// Opens a file. A later failure must leave nothing behind, so files are opened before the library is touched.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - flag: What was typed before it, which messages repeat.
  /// - Throws: `NoSuchFile` if it is not there, `UsageError` if it cannot be read.
  init(_ path: String, typedAfter flag: String = "--attach ") throws {
    shown = "\(flag)\(path)"
    if NoSuchFile.isMissing(path) { throw NoSuchFile(path: path) }
    guard let status = Self.status(of: path), let file = OpenFile(path, O_RDONLY) else { throw Self.unfit(shown) }
    self.file = file
    name = status.st_mode & S_IFMT == S_IFREG ? Attachment.name(ofFile: path) : nil
  }

  /// Checks whether a file can be attached, as far as that shows without opening it: a pipe may wait for its writer.
  ///
  /// - Throws: `NoSuchFile` if it is not there, `UsageError` if it cannot.
  static func check(_ path: String) throws {
    if NoSuchFile.isMissing(path) { throw NoSuchFile(path: path) }
    guard let status = status(of: path), access(path, R_OK) == 0 else { throw unfit(path) }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { throw empty(path) }
  }

  /// The status of a file that can be attached. A pipe may carry another command's output. A device or a terminal never
  /// ends.
  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 && [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) ? status : nil
  }

  private static func unfit(_ shown: String) -> UsageError {
    UsageError("\(shown) is not a file that can be read", cure: "check its path")
  }

  private static func empty(_ shown: String) -> UsageError { UsageError("\(shown) is empty") }

  /// Its bytes as a draft of a blob.
  ///
  /// - Throws: `UsageError` if it is empty, `BlobError` if its bytes cannot be kept.
  func draft(in blobs: any BlobStoring) throws -> any BlobReceiving {
    let draft = try blobs.draft()
    while case let piece = try file.read(upTo: 1 << 20), !piece.isEmpty {
      try piece.withUnsafeBytes { try draft.write($0) }
    }
    guard try draft.finish().byteCount > 0 else { throw Self.empty(shown) }
    return draft
  }

  /// Keeps the bytes of files.
  ///
  /// - Throws: `UsageError` if one is empty, `BlobError` if bytes cannot be kept.
  static func store(_ files: [AttachedFile], in blobs: any BlobStoring) throws -> [PostEdit.File] {
    let drafts = try files.map { try $0.draft(in: blobs) }
    let headers = try drafts.map { try $0.header() }
    let kept = try blobs.keep(drafts)
    return files.indices.map { index in
      PostEdit.File(
        Attachment(headers[index], name: files[index].name),
        StoredBlob(id: kept[index].id, byteCount: kept[index].byteCount, header: headers[index]))
    }
  }
}

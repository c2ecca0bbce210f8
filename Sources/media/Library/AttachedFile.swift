import Blobs
import Glibc
import MediaLibrary
import Posts
import Storage

/// A user's file to be added to the library.
struct AttachedFile {
  /// The name to store; nil if it comes from another command, which names none.
  let name: String?
  private let path: String
  private let file: OpenFile

  /// Opens a file. A later failure must leave nothing behind, so files are opened before the library is touched.
  ///
  /// - Throws: `UsageError` if it cannot be read.
  init(_ path: String) throws {
    var status = stat()
    // A pipe may carry another command's output. A device or a terminal never ends.
    guard stat(path, &status) == 0, [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT),
      let file = OpenFile(path, O_RDONLY)
    else { throw UsageError("--attach \(path) is not a file that can be read", cure: "check its path") }
    (self.path, self.file) = (path, file)
    name = status.st_mode & S_IFMT == S_IFREG ? Attachment.name(ofFile: path) : nil
  }

  /// Its bytes as a draft of a blob.
  ///
  /// - Throws: `UsageError` if it is empty, `BlobError` if its bytes cannot be kept.
  func draft(in blobs: any BlobStoring) throws -> any BlobReceiving {
    let draft = try blobs.draft()
    while case let piece = try file.read(upTo: 1 << 20), !piece.isEmpty {
      try piece.withUnsafeBytes { try draft.write($0) }
    }
    guard try draft.finish().byteCount > 0 else { throw UsageError("--attach \(path) is empty") }
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

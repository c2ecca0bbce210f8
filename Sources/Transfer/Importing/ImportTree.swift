import Blobs
import FoundationEssentials
import Glibc
import Machine

/// The files of what is imported: those of a folder, those of an archive, or one file.
///
/// Nothing in it is trusted: links, devices and names that lead out of it are no files of it.
public protocol ImportTree: AnyObject {
  /// Its name as people typed it.
  var name: String { get }
  /// What the last walk passed over, in the plural, and how many of each: links, devices, names that lead out.
  var passedOver: [String: Int] { get }

  /// Calls `body` with every file, in the same order each time.
  ///
  /// - Parameter body: Gets the file, which can be read until it returns. False ends the walk.
  /// - Throws: `ImportError`, and what `body` throws.
  func eachFile(_ body: (any ImportFile) throws -> Bool) throws

  /// Calls `body` with these files as far as they exist, in any order and from several threads at once.
  ///
  /// - Throws: `ImportError`, and what `body` throws.
  func eachFile(named paths: [String], _ body: @Sendable (any ImportFile) throws -> Void) throws

  /// Whether any file can be read at any time, as in a folder. An archive is read from its beginning to its end.
  var isRandomAccess: Bool { get }

  /// Whether a link has this path. Links are passed over.
  func isLink(_ path: String) -> Bool
}

extension ImportTree {
  /// No link of an archive is known before it was read.
  public func isLink(_ path: String) -> Bool { false }

  /// Tells it from others of its name. A library leaves the machine, whose folders are nobody's business.
  var key: String { String(BlobID(hashing: Array((realPath(name) ?? name).utf8)).hex.prefix(8)) }

  /// What the last walk passed over, in order.
  var leftOut: [(what: String, count: Int)] { passedOver.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}

/// Opens what a person names: an archive, a folder, or a file.
///
/// - Throws: `ImportError` if it is neither.
public func importTree(_ path: String) throws -> any ImportTree { try ArchiveTree(path) ?? FolderTree(path) }

/// The whole path of a file or folder, whatever links lead to it; nil if nothing is there.
func realPath(_ path: String) -> String? {
  guard let whole = realpath(path, nil) else { return nil }
  defer { free(whole) }
  return String(cString: whole)
}

/// The name of an import: that of its folder or file, without the endings of archives and documents.
public func importName(_ path: String) -> String {
  var name = PathText.name(of: realPath(path) ?? path)
  let endings = [".gz", ".xz", ".zst", ".bz2", ".tgz", ".tar", ".zip", ".jsonl", ".ndjson", ".json", ".js"]
  while let ending = endings.first(where: { name.hasSuffix($0) && name.count > $0.count }) {
    name.removeLast(ending.count)
  }
  return name
}

/// A file of what is imported.
public protocol ImportFile {
  /// Its path below the root, such as `media/1.jpg`.
  var path: String { get }
  /// Its length in bytes, as far as the archive says; it may be wrong.
  var byteCount: Int? { get }
  /// When it was last changed, as far as it says; nil in an archive.
  var modifiedAt: Date? { get }

  /// Reads the next bytes.
  ///
  /// - Returns: At most this many bytes; none at the end.
  /// - Throws: `ImportError` if it cannot be read.
  func read(upTo most: Int) throws -> [UInt8]

  /// Writes all its bytes to a draft.
  func write(to draft: any BlobReceiving) throws
}

extension ImportFile {
  /// Nil.
  public var modifiedAt: Date? { nil }

  /// The last part of its path.
  public var fileName: String { String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]) }

  /// Reads all of it.
  ///
  /// - Parameter most: The most bytes that it may have.
  /// - Returns: The bytes; nil if there are more.
  public func readAll(most: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while case let piece = try read(upTo: 64 << 10), !piece.isEmpty {
      bytes += piece
      if bytes.count > most { return nil }
    }
    return bytes
  }

  /// Writes its bytes piece by piece.
  public func write(to draft: any BlobReceiving) throws {
    while case let piece = try read(upTo: 256 << 10), !piece.isEmpty {
      try piece.withUnsafeBytes { try draft.write($0) }
    }
  }
}

import Blobs
import Dispatch
import FoundationEssentials
import Glibc
import Machine
import Synchronization

/// The files of a folder, or a single file. Links in it are not followed.
public final class FolderTree: ImportTree, Sendable {
  /// What people call it.
  public let name: String
  /// The open folder; that of a single file is the folder that holds it.
  private let root: Int32
  /// The single file's name; nil for a folder.
  private let only: String?
  /// What was left out so far, by kind.
  public var passedOver: [String: Int] { counts.withLock(\.self) }
  private let counts = Mutex<[String: Int]>([:])
  /// Whether a file can be opened again by its path.
  public var isRandomAccess: Bool { true }

  /// How deep folders may lie in each other.
  private static let deepest = 64

  /// Opens a folder or a file.
  ///
  /// - Parameter path: Its path, as it was typed.
  /// - Throws: `ImportError` if it is neither.
  public init(_ path: String) throws {
    name = path
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT ? ImportError.absent(path: path) : ImportError.failed(path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: (root, only) = (open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), nil)
    case S_IFREG:
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      only = slash.map { String(path[path.index(after: $0)...]) } ?? path
    default: throw ImportError.noFile(path: path)
    }
    guard root >= 0 else { throw ImportError.failed(path) }
  }

  deinit { if root >= 0 { close(root) } }

  /// Calls `body` with each file.
  public func eachFile(_ body: (any ImportFile) throws -> Bool) throws {
    counts.withLock { $0 = [:] }
    if let only {
      // A single file that a person names may be a link.
      guard let file = FolderFile(root, only, followsLink: true) else { throw ImportError.failed(name) }
      _ = try body(file)
      return
    }
    _ = try walk("", 0, body)
  }

  /// Calls `body` with each file of that name.
  public func eachFile(named paths: [String], _ body: @Sendable (any ImportFile) throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: min(Self.workers, paths.count)) { _ in
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < paths.count, failure.withLock({ $0 == nil }) else { return }
        guard let file = FolderFile(root, paths[index]) else { continue }
        do { try body(file) } catch { failure.withLock { $0 = $0 ?? error } }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Whether a link has this path.
  public func isLink(_ path: String) -> Bool {
    var status = stat()
    return fstatat(root, path, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Hashing keeps two cores busy; more would only wait for the disk.
  private static let workers = 2

  /// Walks a folder in the order of the names, so that each walk is the same.
  private func walk(_ path: String, _ depth: Int, _ body: (any ImportFile) throws -> Bool) throws -> Bool {
    guard depth < Self.deepest else {
      throw ImportError.tooLarge(path: "\(name)/\(path)", reason: "its folders lie more than \(Self.deepest) deep")
    }
    for entry in try entries(of: path) {
      let inner = path.isEmpty ? entry : "\(path)/\(entry)"
      var status = stat()
      // It may have gone since the folder was read.
      guard fstatat(root, inner, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: if try !walk(inner, depth + 1, body) { return false }
      case S_IFREG:
        guard let file = FolderFile(root, inner) else {
          if errno == ENOENT { continue }
          throw ImportError.failed("\(name)/\(inner)")
        }
        if try !body(file) { return false }
      case S_IFLNK: passOver("links")
      default: passOver("devices and pipes")
      }
    }
    return true
  }

  private func passOver(_ kind: String) { counts.withLock { $0[kind, default: 0] += 1 } }

  private func entries(of path: String) throws -> [String] {
    let folder = openat(root, path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard folder >= 0, let list = fdopendir(folder) else {
      let error = ImportError.failed("\(name)/\(path)")
      if folder >= 0 { close(folder) }
      throw error
    }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes == [0x2E] || bytes == [0x2E, 0x2E] { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        passOver("files whose names are no UTF-8")
        continue
      }
      names.append(name)
    }
    return names.sorted()
  }
}

/// A file of a folder, opened at its first read.
private final class FolderFile: ImportFile {
  let path: String
  let byteCount: Int?
  let modifiedAt: Date?
  private let root: Int32
  private let followsLink: Bool
  private var file: Int32 = -1

  init?(_ root: Int32, _ path: String, followsLink: Bool = false) {
    (self.root, self.path, self.followsLink) = (root, path, followsLink)
    var status = stat()
    guard fstatat(root, path, &status, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    byteCount = Int(status.st_size)
    modifiedAt = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }

  deinit { if file >= 0 { close(file) } }

  func read(upTo most: Int) throws -> [UInt8] {
    let file = try opened()
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = retried { Glibc.read(file, buffer.baseAddress, most) }
      (code, count) = (count < 0 ? errno : 0, max(count, 0))
    }
    errno = code
    guard code == 0 else { throw ImportError.failed(path) }
    return bytes
  }

  func write(to draft: any BlobReceiving) throws { try draft.append(contentsOf: try opened()) }

  private func opened() throws -> Int32 {
    if file >= 0 { return file }
    // It may have become a pipe meanwhile, which must not be waited for.
    file = openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
    guard file >= 0 else { throw ImportError.failed(path) }
    return file
  }
}

extension ImportError {
  /// The last call's failure on a path.
  static func failed(_ path: String) -> ImportError {
    .unreadable(path: path, reason: String(cString: strerror(errno)))
  }
}

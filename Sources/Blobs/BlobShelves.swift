import Foundation
import Glibc

// Lists what is actually in `blobs/`, and removes things from it.

/// An entry of the library's `blobs` folder.
public struct BlobFolderEntry: Sendable, Hashable {
  /// The kind of an entry, by its path.
  public enum Kind: Sendable, Hashable {
    /// A file with a blob's name.
    case blob(BlobID)
    /// A draft that a crash left behind. No process writes to it any more.
    case leftover
    /// Something that this program never puts there.
    case foreign
  }

  /// The path within the library: `blobs/ab/…`.
  public let path: String
  /// The kind.
  public let kind: Kind
  /// Its length in bytes.
  public let byteCount: Int
  /// When its bytes last changed or it got its name, whichever was later.
  public let changedAt: Date
}

extension DiskBlobs {
  /// Whether the `blobs` folder exists: not moved away, and not a link to something unmounted.
  public var isThere: Bool { access(currentPath, X_OK) == 0 && access("\(currentPath)/.", F_OK) == 0 }

  /// Calls `body` with each entry of `blobs/`, in no particular order. Memory contains one folder's names at a time.
  /// Entries that vanish meanwhile and the drafts of living processes are skipped.
  public func eachEntry(_ body: (BlobFolderEntry) throws -> Void) throws {
    for subfolder in try names(in: "") {
      guard isFolder(subfolder) else {
        if let entry = entry(subfolder, .foreign) { try body(entry) }
        continue
      }
      for name in try names(in: subfolder) {
        let path = "\(subfolder)/\(name)"
        if let kind = kind(of: path, subfolder: subfolder, name: name), let entry = entry(path, kind) {
          try body(entry)
        }
      }
    }
  }

  /// Moves a file from `blobs/` into the library's `quarantine` folder. Only one process at a time may call it.
  ///
  /// - Returns: its new path within the library; nil if it no longer exists.
  @discardableResult
  public func quarantine(_ path: String) throws(BlobError) -> String? {
    let (quarantine, name) = try makeQuarantine()
    let stem = path.split(separator: "/").dropFirst().joined(separator: "-")
    // Never replaces an existing file.
    var target = stem
    var number = 1
    while access("\(quarantine)/\(target)", F_OK) == 0 { (target, number) = ("\(stem).\(number)", number + 1) }
    guard rename("\(directory.path)/\(path)", "\(quarantine)/\(target)") == 0 else {
      if errno == ENOENT { return nil }
      throw Descriptor.error(name)
    }
    try Descriptor.syncFolder(quarantine, named: name)
    return "quarantine/\(target)"
  }

  /// Creates the quarantine folder. Returns its path, and its name to show to people.
  private func makeQuarantine() throws(BlobError) -> (path: String, name: String) {
    let (quarantine, name) = ("\(directory.path)/quarantine", "\(library)/quarantine")
    try Descriptor.makeFolder(quarantine, named: name)
    return (quarantine, name)
  }

  /// Appends a line to `quarantine/rows.jsonl`. When this returns, it survives a loss of power.
  public func appendToQuarantine(_ line: String) throws(BlobError) {
    let (quarantine, name) = try makeQuarantine()
    let path = "\(name)/rows.jsonl"
    let file = try Descriptor.retried(path) {
      open("\(quarantine)/rows.jsonl", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    defer { close(file) }
    let bytes = Array("\(line)\n".utf8)
    let result: Result<Void, BlobError> = bytes.withUnsafeBytes { bytes in
      do throws(BlobError) { return .success(try Descriptor.write(bytes, to: file, path: path)) } catch {
        return .failure(error)
      }
    }
    try result.get()
    _ = try Descriptor.retried(path) { fsync(file) }
    try Descriptor.syncFolder(quarantine, named: name)
  }

  /// Reads the media header of a stored blob.
  public func header(of id: BlobID) throws(BlobError) -> MediaHeader {
    let path = path(of: id)
    let file = open(currentPath(of: id), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw errno == ENOENT ? .missing(id) : Descriptor.error(path) }
    defer { close(file) }
    return try MediaHeader(length: Descriptor.size(of: currentPath(of: id)) ?? 0) { offset, length throws(BlobError) in
      try Descriptor.read(file, at: offset, count: length, path: path)
    }
  }

  /// Removes a blob's file.
  ///
  /// - Returns: the number of bytes freed; nil if there was no file.
  public func remove(_ id: BlobID) throws(BlobError) -> Int? {
    let path = currentPath(of: id)
    guard let size = Descriptor.size(of: path) else { return nil }
    guard unlink(path) == 0 else {
      if errno == ENOENT { return nil }
      throw Descriptor.error(folder)
    }
    return size
  }

  private func kind(of path: String, subfolder: String, name: String) -> BlobFolderEntry.Kind? {
    if let id = BlobID(subfolder + name), subfolder.utf8.count == 2, !isFolder(path) { return .blob(id) }
    guard subfolder == "tmp", name.hasSuffix(".part") else { return .foreign }
    let file = open("\(currentPath)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) == 0 ? .leftover : nil
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat("\(currentPath)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func entry(_ path: String, _ kind: BlobFolderEntry.Kind) -> BlobFolderEntry? {
    var status = stat()
    guard lstat("\(currentPath)/\(path)", &status) == 0 else { return nil }
    let changed = max(status.st_mtim.seconds, status.st_ctim.seconds)
    return BlobFolderEntry(
      path: "blobs/\(path)",
      kind: kind,
      byteCount: Int(status.st_size),
      changedAt: Date(timeIntervalSince1970: changed)
    )
  }

  private func names(in subfolder: String) throws(BlobError) -> [String] {
    guard let list = opendir(subfolder.isEmpty ? currentPath : "\(currentPath)/\(subfolder)") else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw Descriptor.error(subfolder.isEmpty ? folder : "\(folder)/\(subfolder)")
    }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

extension timespec {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}

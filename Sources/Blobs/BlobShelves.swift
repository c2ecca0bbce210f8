import Foundation
import Glibc

// What really lies in `blobs/`, and taking something out of it.

/// Something that lies in the library's `blobs` folder.
public struct ShelfEntry: Sendable, Hashable {
  /// What its place and name say it is.
  public enum Kind: Sendable, Hashable {
    /// It has a blob's name.
    case blob(BlobID)
    /// A draft that a crash left behind; nobody writes to it any more.
    case leftover
    /// Nothing that was ever put there by this program.
    case foreign
  }

  /// Where it lies within the library: `blobs/ab/…`.
  public let path: String
  /// What it is.
  public let kind: Kind
  /// Its length in bytes.
  public let byteCount: Int
  /// When its bytes last changed, or when it got its name, whichever was later.
  public let changedAt: Date
}

extension DiskBlobs {
  /// Whether the `blobs` folder is there: not moved away, and no link to what is not mounted.
  public var isThere: Bool { access(place, X_OK) == 0 && access("\(place)/.", F_OK) == 0 }

  /// What lies in `blobs/`, in no order that is promised; one folder's names are held in memory at a time. What
  /// vanishes meanwhile is passed over, and so are the drafts of living processes.
  public func eachEntry(_ body: (ShelfEntry) throws -> Void) throws {
    for shelf in try names(in: "") {
      guard isFolder(shelf) else {
        if let entry = entry(shelf, .foreign) { try body(entry) }
        continue
      }
      for name in try names(in: shelf) {
        let path = "\(shelf)/\(name)"
        if let kind = kind(of: path, shelf: shelf, name: name), let entry = entry(path, kind) { try body(entry) }
      }
    }
  }

  /// Moves something out of `blobs/` into the library's `quarantine` folder; returns its new place within the library,
  /// nil where it is gone already. One process at a time.
  @discardableResult
  public func quarantine(_ path: String) throws(BlobError) -> String? {
    let (room, name) = try makeRoom()
    let stem = path.split(separator: "/").dropFirst().joined(separator: "-")
    // Never over what lies there already.
    var target = stem
    var number = 1
    while access("\(room)/\(target)", F_OK) == 0 { (target, number) = ("\(stem).\(number)", number + 1) }
    guard rename("\(held.path)/\(path)", "\(room)/\(target)") == 0 else {
      if errno == ENOENT { return nil }
      throw Descriptor.error(name)
    }
    try Descriptor.syncFolder(room, named: name)
    return "quarantine/\(target)"
  }

  /// The folder of what is set aside, and what people call it.
  private func makeRoom() throws(BlobError) -> (path: String, name: String) {
    let (room, name) = ("\(held.path)/quarantine", "\(library)/quarantine")
    try Descriptor.makeFolder(room, named: name)
    return (room, name)
  }

  /// Adds a line to `quarantine/rows.jsonl`, where it survives a loss of power.
  public func setAside(_ line: String) throws(BlobError) {
    let (room, name) = try makeRoom()
    let path = "\(name)/rows.jsonl"
    let file = try Descriptor.retried(path) {
      open("\(room)/rows.jsonl", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
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
    try Descriptor.syncFolder(room, named: name)
  }

  /// What a kept blob's bytes are, read from themselves.
  public func header(of id: BlobID) throws(BlobError) -> MediaHeader {
    let path = path(of: id)
    let file = open(place(of: id), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw errno == ENOENT ? .missing(id) : Descriptor.error(path) }
    defer { close(file) }
    return try MediaHeader(length: Descriptor.size(of: place(of: id)) ?? 0) { offset, length throws(BlobError) in
      try Descriptor.read(file, at: offset, count: length, path: path)
    }
  }

  /// Removes a blob's file; returns the bytes that went, nil where there was none.
  public func remove(_ id: BlobID) throws(BlobError) -> Int? {
    let path = place(of: id)
    guard let size = Descriptor.size(of: path) else { return nil }
    guard unlink(path) == 0 else {
      if errno == ENOENT { return nil }
      throw Descriptor.error(folder)
    }
    return size
  }

  private func kind(of path: String, shelf: String, name: String) -> ShelfEntry.Kind? {
    if let id = BlobID(shelf + name), shelf.utf8.count == 2, !isFolder(path) { return .blob(id) }
    guard shelf == "tmp", name.hasSuffix(".part") else { return .foreign }
    let file = open("\(place)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) == 0 ? .leftover : nil
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat("\(place)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func entry(_ path: String, _ kind: ShelfEntry.Kind) -> ShelfEntry? {
    var status = stat()
    guard lstat("\(place)/\(path)", &status) == 0 else { return nil }
    let changed = max(status.st_mtim.seconds, status.st_ctim.seconds)
    return ShelfEntry(
      path: "blobs/\(path)",
      kind: kind,
      byteCount: Int(status.st_size),
      changedAt: Date(timeIntervalSince1970: changed)
    )
  }

  private func names(in shelf: String) throws(BlobError) -> [String] {
    guard let list = opendir(shelf.isEmpty ? place : "\(place)/\(shelf)") else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw Descriptor.error(shelf.isEmpty ? folder : "\(folder)/\(shelf)")
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

import FoundationEssentials
import Glibc
import Machine

// Lists what is actually in `blobs/`, and removes things from it.

extension DiskBlobs {
  /// Whether the `blobs` folder exists: not moved away, and not a link to something unmounted.
  public var isThere: Bool { access(currentPath, X_OK) == 0 && access("\(currentPath)/.", F_OK) == 0 }

  /// Lists one of the folders `ab` at a time, so that memory contains one folder's names.
  public func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo] {
    let subfolders = try names(in: "").map(\.name).filter { Self.isOfBlobs($0) }.sorted()
    for subfolder in subfolders where last.map({ $0.folderName <= subfolder }) ?? true {
      let ids = try names(in: subfolder).compactMap { BlobID(subfolder + $0.name) }
      var page: [BlobInfo] = []
      for id in ids.sorted(by: { $0.hex < $1.hex }) where last.map({ $0.hex < id.hex }) ?? true {
        if page.count >= limit { break }
        // A file that vanished or does not answer is not listed.
        if let blob = try? stat(id) { page.append(blob) }
      }
      if !page.isEmpty { return page }
    }
    return []
  }

  /// Calls `body` with everything in `blobs/` that is not a blob, in no particular order, and with the files by which other
  /// libraries and backups are known in its folders. Of a folder that cannot be read, it is called with the folder. Memory
  /// contains one folder's names at a time.
  public func eachResidue(_ body: (BlobResidue) throws -> Void) throws {
    for (subfolder, kind) in try names(in: "", orUnread: body) {
      guard kind.isFolder else {
        if let residue = residue(subfolder, .foreign) { try body(residue) }
        continue
      }
      for (name, kind) in try names(in: subfolder, orUnread: body) {
        if kind.isRegular, BlobID(subfolder + name) != nil, Self.isOfBlobs(subfolder) { continue }
        let path = "\(subfolder)/\(name)"
        let isDraft = subfolder == "tmp" && name.hasSuffix(".part")
        guard !isDraft || isAbandoned(path) else { continue }
        let isUnread = kind.isFolder && (try? names(in: path)) == nil
        if let residue = residue(path, isUnread ? .unread : isDraft ? .leftover : .foreign) { try body(residue) }
        if kind.isFolder, !isUnread { try eachMark(below: path, body) }
      }
    }
  }

  /// The names in a folder. If it cannot be read, `body` is called with it, and there are none.
  private func names(
    in folder: String, orUnread body: (BlobResidue) throws -> Void
  ) throws -> [(name: String, kind: FileKind)] {
    if let names = try? names(in: folder) { return names }
    try body(BlobResidue(.unread, name: folder.isEmpty ? "blobs" : "blobs/\(folder)", byteCount: 0))
    return []
  }

  /// Calls `body` with the files of other libraries and of backups below a folder, at any depth. The folder stands for all else
  /// that it contains. Links are not followed.
  private func eachMark(below folder: String, _ body: (BlobResidue) throws -> Void) throws {
    var folders = [folder]
    while let folder = folders.popLast() {
      for (name, kind) in try names(in: folder, orUnread: body) {
        let path = "\(folder)/\(name)"
        if kind.isFolder { folders.append(path) }
        if Self.marks.contains(name), let residue = residue(path, .foreign) { try body(residue) }
      }
    }
  }

  /// Moves the blob's file, whatever it is, into the library's `quarantine` folder. Only one process at a time may call
  /// it.
  @discardableResult
  public func quarantine(_ id: BlobID) throws(BlobError) -> Bool { try quarantine(id.path) != nil }

  /// Moves the file into the library's `quarantine` folder. Only one process at a time may call it.
  @discardableResult
  public func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool { try quarantine(residue.name) != nil }

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
      throw BlobError(location: name)
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

  /// Appends a line to `quarantine/rows.jsonl`.
  public func appendToQuarantine(_ line: String) throws(BlobError) {
    let (quarantine, name) = try makeQuarantine()
    let path = "\(name)/rows.jsonl"
    let file = try Descriptor.retried(path) {
      open("\(quarantine)/rows.jsonl", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    defer { close(file) }
    try Descriptor.write(Array("\(line)\n".utf8), to: file, path: path)
    _ = try Descriptor.retried(path) { fsync(file) }
    try Descriptor.syncFolder(quarantine, named: name)
  }

  /// Removes a blob's file unless it was written or renewed after `blob` was read.
  public func remove(_ blob: BlobInfo) throws(BlobError) -> Bool {
    try locked(.exclusive) { () throws(BlobError) in
      guard try stat(blob.id)?.version == blob.version else { return false }
      if unlink(currentPath(of: blob.id)) == 0 { return true }
      guard errno == ENOENT else { throw BlobError(location: folder) }
      return false
    }
  }

  /// Whether a folder of `blobs/` may contain blobs.
  private static func isOfBlobs(_ subfolder: String) -> Bool {
    subfolder.utf8.count == 2 && subfolder.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Whether no living process writes to a draft with a temporary name. False if it vanished.
  private func isAbandoned(_ path: String) -> Bool {
    let file = open("\(currentPath)/\(path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) == 0
  }

  /// Nil if it vanished.
  private func residue(_ path: String, _ kind: BlobResidue.Kind) -> BlobResidue? {
    var status = Glibc.stat()
    guard lstat("\(currentPath)/\(path)", &status) == 0 else { return nil }
    return BlobResidue(kind, name: "blobs/\(path)", byteCount: Int(status.st_size))
  }
}

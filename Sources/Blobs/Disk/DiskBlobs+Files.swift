import FoundationEssentials
import Glibc
import Machine

// The files of `blobs/`: their names, what is known of them, and the lock between keeping and removing.

/// A kind of file, as a folder's listing reports it.
struct FileKind {
  let isRegular: Bool
  let isFolder: Bool

  /// The kind of an entry. Some file systems leave it open: then the file itself is asked.
  fileprivate init(_ entry: dirent, at path: () -> String) {
    switch Int(entry.d_type) {
    case DT_UNKNOWN:
      var status = Glibc.stat()
      let kind = lstat(path(), &status) == 0 ? status.st_mode & S_IFMT : 0
      (isRegular, isFolder) = (kind == S_IFREG, kind == S_IFDIR)
    case let type: (isRegular, isFolder) = (type == DT_REG, type == DT_DIR)
    }
  }
}

extension BlobInfo {
  /// The information of a blob's file; nil if it is not a regular file.
  init?(_ id: BlobID, _ status: Glibc.stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Its bytes last changed or it got its name, whichever was later.
    let time = max(status.st_mtim.seconds, status.st_ctim.seconds)
    self.init(
      id: id, byteCount: Int(status.st_size), storedAt: Date(timeIntervalSince1970: time),
      version: "\(FileTime(status.st_mtim).text).\(String(status.st_ino, radix: 36))")
  }
}

extension DiskBlobs {
  /// Who holds the lock of the `blobs` folder: any number of processes that give names, or one that removes.
  enum Hold { case shared, exclusive }

  /// Runs `body` under the kernel's lock on the `blobs` folder, which ends with its process. If there is no folder, or
  /// its file system has no locks, `body` runs without.
  func locked<Value>(_ hold: Hold, _ body: () throws(BlobError) -> Value) throws(BlobError) -> Value {
    let file = open(currentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return try body() }
    defer { close(file) }
    _ = retried { flock(file, hold == .shared ? LOCK_SH : LOCK_EX) }
    // A child process that was forked meanwhile would hold it, too, until it runs its program.
    defer { _ = flock(file, LOCK_UN) }
    return try body()
  }

  /// Makes the file of a blob that is kept again as new as one that is stored now.
  ///
  /// - Returns: Whether there is such a file.
  @discardableResult
  package func renew(_ id: BlobID, byteCount: Int) -> Bool {
    var status = Glibc.stat()
    guard lstat(currentPath(of: id), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == byteCount
    else { return false }
    return max(FileTime.now, FileTime(status.st_mtim).next).write(to: currentPath(of: id))
  }

  /// The names in `blobs/`, or in a folder of it, each with its kind. Empty if there is no such folder.
  func names(in subfolder: String) throws(BlobError) -> [(name: String, kind: FileKind)] {
    let path = subfolder.isEmpty ? currentPath : "\(currentPath)/\(subfolder)"
    guard let list = opendir(path) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw BlobError(location: subfolder.isEmpty ? folder : "\(folder)/\(subfolder)")
    }
    defer { closedir(list) }
    var names: [(name: String, kind: FileKind)] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      names.append((name, FileKind(entry.pointee, at: { "\(path)/\(name)" })))
    }
    return names
  }
}

extension timespec {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}

import Glibc
import Machine

extension DiskBlobs: BlobPlace {
  /// The library's folder.
  public var location: String { library }

  /// Reads a file of the library's folder. It neither follows a link nor waits for the other end of a pipe.
  public func file(named name: String, limit: Int) throws(BlobError) -> [UInt8]? {
    let path = "\(library)/\(name)"
    let file = open("\(directory.path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw BlobError(location: path)
    }
    defer { close(file) }
    return try Descriptor.read(file, 0..<limit, path: path)
  }

  /// Whether the library's folder has the file.
  public func hasFile(named name: String) throws(BlobError) -> Bool {
    access("\(directory.path)/\(name)", F_OK) == 0
  }

  /// Writes a file of the library's folder. The folder, and those above it, are created if they are missing.
  public func create(_ bytes: [UInt8], named name: String) throws(BlobError) -> Bool {
    try makeLibrary()
    let path = "\(library)/\(name)"
    let target = "\(directory.path)/\(name)"
    if access(target, F_OK) == 0 { return false }
    let draft = "\(target).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    let file = try Descriptor.retried(path) { open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    defer {
      close(file)
      unlink(draft)
    }
    try Descriptor.write(bytes, to: file, path: path)
    _ = try Descriptor.retried(path) { fsync(file) }
    guard link(draft, target) == 0 else {
      if errno == EEXIST { return false }
      // Some file systems know no second name of a file.
      guard rename(draft, target) == 0 else { throw BlobError(location: path) }
      return true
    }
    try Descriptor.syncFolder(directory.path, named: library)
    return true
  }

  private func makeLibrary() throws(BlobError) {
    if directory.openIfPresent() != nil { return }
    if let code = makeFolders(library) { throw BlobError(location: library, code: code) }
    directory.openIfPresent()
  }

  /// Looks into the folders above, wherever links lead.
  public func outerPlace(holding names: [String]) -> String? {
    Self.outerPaths(of: Self.resolved(library)).map { "/\($0)" }.first { folder in
      names.contains { access("\(folder)/\($0)", F_OK) == 0 }
    }
  }

  /// The path without links, as far as it exists.
  private static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let parent = PathText.parent(of: path)
    return parent.isEmpty || parent == path ? path : "\(resolved(parent))/\(PathText.name(of: path))"
  }

  /// Removes a file of the library's folder.
  public func removeFile(named name: String) throws(BlobError) {
    guard unlink("\(directory.path)/\(name)") == 0 || errno == ENOENT else {
      throw BlobError(location: "\(library)/\(name)")
    }
  }
}

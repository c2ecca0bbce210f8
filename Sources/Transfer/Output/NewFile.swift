import Glibc
import Machine
import Posts

/// A file that gets its name only when it is whole: nobody reads a part of it, and what fails leaves nothing behind.
///
/// Until then it has no name, where the file system can do that, else one beside its place. A device or a pipe at its
/// place is written to as it is.
package final class NewFile {
  /// Its path.
  package let path: String
  /// How many bytes were written.
  package private(set) var byteCount = 0

  private let replaces, syncs: Bool
  private let file: Int32
  private var location: Location
  private var waiting: [UInt8] = []

  /// Where its bytes are until it is finished.
  private enum Location {
    case unnamed
    case beside(String)
    /// The path itself: a device, a pipe, or a finished file.
    case own
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: Its path. At a link's path, the file is written to which the link leads.
  ///   - mode: Its permissions.
  ///   - replaces: Whether it may take the place of another file.
  ///   - syncs: Whether its bytes are on the disk when it is finished. One of thousands that can be made anew does without.
  package init(
    at path: String, mode: mode_t = 0o600, replaces: Bool, syncs: Bool = true
  ) throws(NewFileError) {
    let path = Self.followed(path)
    (self.path, self.replaces, self.syncs) = (path, replaces, syncs)
    let folder = Self.folder(of: path)
    var facts = stat()
    if stat(path, &facts) == 0 {
      guard facts.st_mode & S_IFMT != S_IFDIR, !path.hasSuffix("/") else { throw .folder(path: path) }
      if facts.st_mode & S_IFMT != S_IFREG {
        (file, location) = (open(path, O_WRONLY | O_CLOEXEC), .own)
        guard file >= 0 else { throw NewFileError(path, errno) }
        return
      }
      guard replaces else { throw .exists(path: path) }
    }
    let anonymous = openUnnamedFile(in: folder)
    if anonymous >= 0 {
      (file, location) = (anonymous, .unnamed)
    } else {
      guard ![ENOENT, EACCES, EROFS].contains(errno), !FullDisk.isReason(errno) else { throw NewFileError(path, errno) }
      let named = Self.besides(path)
      guard named.file >= 0 else { throw NewFileError(path, errno) }
      (file, location) = (named.file, .beside(named.path))
    }
    fchmod(file, mode)
  }

  deinit {
    if case .beside(let draft) = location { unlink(draft) }
    close(file)
  }

  /// Adds bytes at its end.
  package func write(_ bytes: some Sequence<UInt8>) throws(NewFileError) {
    waiting += bytes
    if waiting.count >= 64 << 10 { try flush() }
  }

  /// Gives it its name.
  package func finish() throws(NewFileError) {
    try flush()
    if case .own = location { return }
    guard !syncs || fsync(file) == 0 else { throw NewFileError(path, errno) }
    switch location {
    case .unnamed where !replaces: try link(to: path)
    case .unnamed:
      // Only a name can take the place of another: it gets one beside for a moment.
      let draft = Self.besides(path)
      guard draft.file >= 0 else { throw NewFileError(path, errno) }
      close(draft.file)
      unlink(draft.path)
      try link(to: draft.path)
      guard rename(draft.path, path) == 0 else {
        let error = NewFileError(path, errno)
        unlink(draft.path)
        throw error
      }
    case .beside(let draft):
      if !replaces, access(path, F_OK) == 0 { throw .exists(path: path) }
      guard rename(draft, path) == 0 else { throw NewFileError(path, errno) }
    case .own: break
    }
    location = .own
  }

  /// Takes the bytes of another file, without copying them where the file system can share them.
  ///
  /// - Returns: Whether it could. Otherwise nothing was written.
  package func clone(_ path: String) -> Bool {
    guard byteCount == 0, waiting.isEmpty else { return false }
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { return false }
    defer { close(source) }
    let clones: UInt = 0x4004_9409  // FICLONE, a macro that Swift does not import
    guard ioctl(file, clones, source) == 0 else { return false }
    var facts = stat()
    byteCount = fstat(file, &facts) == 0 ? Int(facts.st_size) : 0
    return true
  }

  private func link(to path: String) throws(NewFileError) {
    guard nameFile(file, as: path) else { throw NewFileError(path, errno) }
  }

  private func flush() throws(NewFileError) {
    if let code = writeAll(waiting, to: file) { throw NewFileError(path, code) }
    byteCount += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }

  private static func besides(_ path: String) -> (path: String, file: Int32) {
    makeTemporaryFile("\(folder(of: path))/.media-XXXXXX.part")
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func followed(_ path: String) -> String {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, stat(path, &facts) == 0,
      facts.st_mode & S_IFMT == S_IFREG, let real = realpath(path, nil)
    else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// A file cannot be written.
package enum NewFileError: ExplainedError, Equatable {
  /// There is a file at its path.
  case exists(path: String)
  /// There is a folder at its path.
  case folder(path: String)
  /// The reader of the pipe at its path is gone.
  case closedPipe(path: String)
  /// The disk or the folder refuses it.
  case refused(path: String, reason: String)

  init(_ path: String, _ code: Int32) {
    self =
      switch code {
      case EEXIST: .exists(path: path)
      case EISDIR: .folder(path: path)
      case EPIPE: .closedPipe(path: path)
      default: .refused(path: path, reason: String(cString: strerror(code)))
      }
  }

  package var summary: String {
    switch self {
    case .exists(let path): "\(path) exists already"
    case .folder(let path): "\(path) is a folder"
    case .closedPipe(let path): "nobody reads \(path) any more"
    case .refused(let path, let reason): "\(path) cannot be written (\(reason))"
    }
  }

  package var cure: String? {
    switch self {
    case .exists: "name another file, or give --force to replace it"
    case .folder: "name a file in it"
    case .closedPipe: nil
    case .refused: "check the folder and the room on its disk"
    }
  }

  package var exitCode: ExitCode {
    switch self {
    case .exists, .folder: .usage
    case .closedPipe, .refused: .storage
    }
  }
}

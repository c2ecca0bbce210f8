import Glibc

// Files and folders that only their owner can read. Failures are the system's codes: callers make errors of their own of them.

/// Makes a folder, and those above it, as far as they are missing.
///
/// - Returns: The code of a failure; nil if the folder is there.
package func makeFolders(_ path: String) -> Int32? {
  if mkdir(path, 0o700) == 0 {
    // An umask may take even the owner's bits away.
    return chmod(path, 0o700) == 0 ? nil : errno
  }
  let parent = PathText.parent(of: path)
  guard errno == ENOENT, !parent.isEmpty, parent != path else { return errno == EEXIST ? nil : errno }
  if let code = makeFolders(parent) { return code }
  // Not again by ourselves: a link that leads nowhere says ENOENT for ever.
  return mkdir(path, 0o700) == 0 || errno == EEXIST ? nil : errno
}

/// Syncs a folder: its new names survive a loss of power only after this.
///
/// - Returns: The code of a failure; nil also where the file system cannot sync folders: nothing else helps there.
package func syncFolder(_ path: String) -> Int32? {
  let folder = retried { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  guard folder >= 0 else { return errno }
  defer { close(folder) }
  return retried { fsync(folder) } == 0 || [EINVAL, ENOTSUP].contains(errno) ? nil : errno
}

/// Replaces a file in one step. After a crash at any moment the old or the new content stands, whole, and when this returns it
/// is the new one.
///
/// - Parameters:
///   - path: Its path.
///   - bytes: Its new content.
///   - draft: A path in its folder at which nobody else writes meanwhile: what is there was left by a crash.
/// - Returns: The code of a failure.
package func replaceFile(_ path: String, by bytes: [UInt8], draft: String) -> Int32? {
  unlink(draft)
  // O_EXCL refuses a link put in its place.
  let file = retried { open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
  guard file >= 0 else { return errno }
  defer { close(file) }
  // An umask may take even the owner's bits away.
  var code = fchmod(file, 0o600) == 0 ? writeAll(bytes, to: file) : errno
  if code == nil, retried({ fsync(file) }) != 0 || rename(draft, path) != 0 { code = errno }
  guard code == nil else {
    unlink(draft)
    return code
  }
  return syncFolder(PathText.parent(of: path))
}

/// Makes a file at a path that no other has. No child inherits it.
///
/// - Parameter pattern: Its path with `XXXXXX`, which become other letters.
/// - Returns: Its path and its descriptor, which is negative if it cannot be made: `errno` says why.
package func makeTemporaryFile(_ pattern: String) -> (path: String, file: Int32) {
  var template = Array(pattern.utf8CString)
  let ending = pattern.utf8.reversed().prefix { $0 != UInt8(ascii: "X") }.count
  let file = mkstemps(&template, Int32(ending))
  if file >= 0 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  return (template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }, file)
}

/// Opens a new file without a name, which goes with its last descriptor unless it gets one.
///
/// - Parameters:
///   - path: The path of its folder.
///   - folder: The open folder below which that path leads.
/// - Returns: Its descriptor, which is negative if the file system has no such files: `errno` says why.
package func openUnnamedFile(in path: String, below folder: Int32 = AT_FDCWD) -> Int32 {
  let unnamed = O_DIRECTORY | 0o20_000_000  // O_TMPFILE, a macro that Swift does not import
  return openat(folder, path, unnamed | O_RDWR | O_CLOEXEC, 0o600)
}

/// Gives a file without a name its name.
///
/// - Returns: Whether it has it; if not, `errno` says why.
package func nameFile(_ file: Int32, as path: String, below folder: Int32 = AT_FDCWD) -> Bool {
  linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, path, AT_SYMLINK_FOLLOW) == 0
}

// The only code that writes secrets, or other files that only their owner may write, to disk.

import Glibc
import Machine

/// A small file of secrets: readable by its owner alone, replaced whole or not at all, changed by one process at once.
///
/// The new content is written aside under a name that is made anew each time, synced, renamed over the old, and the
/// folder synced: after a crash at any moment the old or the new content stands, whole. What a crash left aside is
/// removed by the next change. Its functions block, for as long as a disk takes.
public struct ProtectedFile: Sendable {
  /// The most bytes read: an account takes about one kilobyte.
  static let limit = 16 << 20

  /// The folder, without a slash at its end; made with mode 0700 at the first write, left as it is when it is there.
  let folder: String
  /// The file's name in it.
  let name: String

  /// What it holds, as errors call it.
  let content: String

  /// The file of a name in a folder; `content` is what errors call what it holds.
  public init(folder: String, name: String, content: String = "tokens") {
    (self.folder, self.name, self.content) = (folder, name, content)
  }

  /// The file.
  var path: String { "\(folder)/\(name)" }
  private var aside: String { "\(folder)/.\(name).new" }
  private var lock: String { "\(folder)/\(PathText.stem(of: name)).lock" }

  /// The file itself where a link stands at its name: a link would be replaced alone, and what it led to would keep the
  /// secrets that were to go.
  func followed() throws(AccountsError) -> ProtectedFile {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK else { return self }
    guard let real = realpath(path, nil) else {
      throw .cannotRead(path: path, reason: errno == ENOENT ? "it is a link that leads nowhere" : reason(errno))
    }
    defer { free(real) }
    let path = String(cString: real)
    return ProtectedFile(folder: PathText.parent(of: path), name: PathText.name(of: path), content: content)
  }

  /// The content; nil if there is no file. Throws if it belongs to another user or others may read it.
  public func read() throws(AccountsError) -> [UInt8]? {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK) else {
      if errno == ENOENT { return nil }
      throw .cannotRead(path: path, reason: reason(errno))
    }
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0 else { throw .cannotRead(path: path, reason: reason(errno)) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .cannotRead(path: path, reason: "it is not a file") }
    guard facts.st_uid == geteuid() else { throw .cannotRead(path: path, reason: "it belongs to another user") }
    guard facts.st_mode & 0o077 == 0 else { throw .readableByOthers(path: path, content: content) }
    let content: [UInt8]
    do { content = try file.readToEnd(most: Self.limit) } catch {
      throw .cannotRead(path: path, reason: reason(error.code))
    }
    guard content.count <= Self.limit else { throw .cannotRead(path: path, reason: "it is too large") }
    return content
  }

  /// Replaces the content, on disk when this returns.
  public func replace(with content: [UInt8]) throws(AccountsError) {
    // Whoever writes holds the lock, so a file aside is a dead process's.
    if let code = replaceFile(path, by: content, draft: aside) { throw AccountsError(writing: path, code: code) }
  }

  /// Removes the file if there is one.
  public func remove() throws(AccountsError) {
    if unlink(path) != 0, errno != ENOENT { throw AccountsError(writing: path, code: errno) }
  }

  /// Runs `body` while no other process, and no other thread, runs one for this file.
  public func locked<T>(_ body: () throws(AccountsError) -> T) throws(AccountsError) -> T {
    if let code = makeFolders(folder) { throw AccountsError(writing: path, code: code) }
    let file = retried { open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard file >= 0 else { throw AccountsError(writing: path, code: errno) }
    defer { close(file) }
    guard retried({ flock(file, LOCK_EX) }) == 0 else { throw AccountsError(writing: path, code: errno) }
    return try body()
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

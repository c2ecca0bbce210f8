import Glibc
import PostFiles

/// A folder into which files are exported, and the folders below it. No link in it is followed, and no file replaced.
final class ExportFolder {
  /// Its path, as it was given.
  let path: String
  private let file: Int32
  private let modes: FileModes
  /// What stands in the folders that were used last: the names by what ignores capitals.
  private var listings: [String: [String: String]] = [:]

  /// Listings of more folders are read again when they are needed again.
  private static let mostListings = 500

  /// Opens the folder; creates it if it is absent.
  init(_ path: String, modes: FileModes) throws(FilesError) {
    (self.path, self.modes) = (path, modes)
    if mkdir(path, modes.folder) != 0, errno != EEXIST { throw FilesError(path, errno) }
    file = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw FilesError(path, errno) }
  }

  deinit { close(file) }

  /// The open folder itself.
  var descriptor: Int32 { file }

  /// Opens a folder below, and creates it if it is absent. Where something else has its name, or its name in other
  /// capitals, a folder of that name with a number is taken, or the one in other capitals.
  ///
  /// - Returns: The open folder, which the caller closes, and its path below this one; the path is empty or ends with `/`.
  func open(_ names: [FileName]) throws(FilesError) -> (file: Int32, path: String) {
    var (current, path) = (fcntl(file, F_DUPFD_CLOEXEC, 0), "")
    guard current >= 0 else { throw FilesError(self.path, errno) }
    for name in names {
      do throws(FilesError) {
        let next = try open(name, in: current, path)
        close(current)
        (current, path) = (next.file, "\(path)\(next.name)/")
      } catch {
        close(current)
        throw error
      }
    }
    return (current, path)
  }

  /// The name in a folder that ignores capitals; nil if it is free.
  func existing(_ name: String, in folder: (file: Int32, path: String)) throws(FilesError) -> String? {
    try listing(folder.file, folder.path)[FileName.folded(name)]
  }

  /// Notes a new name.
  func note(_ name: String, in folder: String) { listings[folder]?[FileName.folded(name)] = name }

  private func open(_ name: FileName, in folder: Int32, _ path: String) throws(FilesError) -> (
    file: Int32, name: String
  ) {
    var number = 1
    while true {
      let wanted = number == 1 ? name.text : "\(name.text)~\(number)"
      let actual = try listing(folder, path)[FileName.folded(wanted)] ?? wanted
      if mkdirat(folder, actual, modes.folder) == 0 { note(actual, in: path) }
      let next = openat(folder, actual, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if next >= 0 { return (next, actual) }
      guard errno == ELOOP || errno == ENOTDIR, number < 100 else {
        throw FilesError("\(self.path)/\(path)\(actual)", errno)
      }
      number += 1
    }
  }

  private func listing(_ folder: Int32, _ path: String) throws(FilesError) -> [String: String] {
    if let known = listings[path] { return known }
    if listings.count >= Self.mostListings { listings.removeAll() }
    let again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0, let stream = fdopendir(again) else { throw FilesError("\(self.path)/\(path)", errno) }
    defer { closedir(stream) }
    var names: [String: String] = [:]
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names[FileName.folded(name)] = name }
    }
    listings[path] = names
    return names
  }
}

/// The permissions of what is written for a person.
public struct FileModes: Sendable {
  /// Those of files.
  public let file: mode_t
  /// Those of folders.
  public let folder: mode_t

  /// Permissions by those of files: who may read a file may enter its folder.
  public init(file: mode_t) { (self.file, folder) = (file, file | (file & 0o444) >> 2) }
}

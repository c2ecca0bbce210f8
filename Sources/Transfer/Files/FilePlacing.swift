import Blobs
import CSync
import FoundationEssentials
import Glibc
import PostFiles

/// Gives bytes a name in a folder, never in place of others.
final class FilePlacing {
  /// What becomes a file.
  struct Source {
    let blob: BlobID
    let byteCount: Int?
    /// The file's time.
    let time: Date
  }

  /// A file that stands in its place.
  struct Placed {
    enum Outcome {
      case written, linked
      /// It was there before this export.
      case left
      /// This export has written the same bytes to this name before.
      case same
    }
    let name: String
    let outcome: Outcome
  }

  /// What became of a sidecar.
  enum SidecarOutcome { case written, left, kept }

  private let folder: ExportFolder
  private let index: FileIndex
  private let blobs: any BlobStoring
  private let links: Bool
  private let mode: mode_t
  /// The paths that were written.
  private var written: Set<String> = []

  typealias Subfolder = (file: Int32, path: String)

  init(folder: ExportFolder, index: FileIndex, blobs: any BlobStoring, links: Bool, mode: mode_t) {
    (self.folder, self.index, self.blobs, self.links, self.mode) = (folder, index, blobs, links, mode)
  }

  func close(_ file: Int32) { Glibc.close(file) }

  /// Places a blob under a name, or under that name with a number.
  ///
  /// - Returns: Nil if the library does not have the bytes.
  func place(_ source: Source, as wanted: FileName, in subfolder: Subfolder) throws(FilesError) -> Placed? {
    var number = 1
    while true {
      let name = (number == 1 ? wanted : wanted.marked("~\(number)")).text
      if let existing = try folder.existing(name, in: subfolder) {
        if existing == name, isThere(source, existing, in: subfolder) {
          try index.add(subfolder.path + name, hash: source.blob.hex)
          return Placed(name: name, outcome: written.contains(subfolder.path + name) ? .same : .left)
        }
      } else if let outcome = try make(source, name, in: subfolder) {
        folder.note(name, in: subfolder.path)
        try index.add(subfolder.path + name, hash: source.blob.hex)
        written.insert(subfolder.path + name)
        return Placed(name: name, outcome: outcome)
      } else if blobs.condition(of: source.blob, byteCount: source.byteCount) != .good {
        return nil
      } else {
        // Somebody else has just made a file of that name.
        folder.note(name, in: subfolder.path)
      }
      number += 1
    }
  }

  /// Whether a file has these bytes. The index knows, if nothing has changed the file's length; else they are read.
  private func isThere(_ source: Source, _ name: String, in subfolder: Subfolder) -> Bool {
    var status = stat()
    guard fstatat(subfolder.file, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
      source.byteCount.map({ $0 == Int(status.st_size) }) ?? true
    else { return false }
    if index.has(subfolder.path + name, hash: source.blob.hex) { return true }
    return hash(of: name, in: subfolder) == source.blob
  }

  private func hash(of name: String, in subfolder: Subfolder) -> BlobID? {
    let file = openat(subfolder.file, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    return BlobID(hashing: file)
  }

  // MARK: Making a file

  /// Nil if a file of that name exists by now, or if the library's bytes cannot be read.
  private func make(_ source: Source, _ name: String, in subfolder: Subfolder) throws(FilesError) -> Placed.Outcome? {
    let path = blobs.localFile(of: source.blob)
    if links, let path {
      if linkat(AT_FDCWD, path, subfolder.file, name, 0) == 0 { return .linked }
      if errno == EEXIST { return nil }
    }
    let draft = try Draft(in: subfolder, mode: mode, shown: shown(name, subfolder))
    guard try fill(draft, from: path, source) else { return nil }
    draft.set(time: source.time)
    return try draft.name(name) ? .written : nil
  }

  private func fill(_ draft: Draft, from path: String?, _ source: Source) throws(FilesError) -> Bool {
    if let path {
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { return false }
      defer { Glibc.close(file) }
      if sync_shim_clone(draft.file, file) == 0 { return true }
    }
    var offset = 0
    while true {
      guard let piece = try? blobs.fetch(source.blob, offset..<offset + 1 << 20) else { return false }
      try draft.write(piece)
      offset += piece.count
      if piece.count < 1 << 20 { return source.byteCount.map { $0 == offset } ?? true }
    }
  }

  // MARK: Sidecars

  /// Writes a text beside a file. A text that this program wrote before is replaced, unless somebody has changed it.
  func write(_ text: String, beside name: String, in subfolder: Subfolder) throws(FilesError) -> SidecarOutcome {
    let bytes = Array(text.utf8)
    let id = BlobID(hashing: bytes)
    if let existing = try folder.existing(name, in: subfolder) {
      guard existing == name, let current = hash(of: name, in: subfolder) else { return .kept }
      if current == id {
        try index.add(subfolder.path + name, hash: id.hex)
        return .left
      }
      guard index.has(subfolder.path + name, hash: current.hex) else { return .kept }
    }
    let draft = try Draft(in: subfolder, mode: mode, shown: shown(name, subfolder))
    try draft.write(bytes)
    try draft.replace(name)
    folder.note(name, in: subfolder.path)
    try index.add(subfolder.path + name, hash: id.hex)
    return .written
  }

  private func shown(_ name: String, _ subfolder: Subfolder) -> String { "\(folder.path)/\(subfolder.path)\(name)" }
}

import Blobs
import FoundationEssentials
import Glibc
import Machine
import Posts

/// The folder of a site. It writes only what differs from what is there, and knows by a list what it wrote before: a page that
/// is no longer part of the site goes, and nothing else does.
package final class SiteFolder {
  /// The folder holds other files.
  package struct Occupied: ExplainedError, Equatable {
    let path: String
    package var summary: String { "\(path) holds files that are not of a site" }
    package var cure: String? { "name another folder, or give --force to write between them" }
    package var exitCode: ExitCode { .usage }
  }

  /// What was done with the files.
  package struct Result: Sendable, Equatable {
    /// How many were written, left as they were, and removed.
    package var written = 0, kept = 0, removed = 0
    /// How many bytes were written.
    package var bytes = 0
    /// How many files were left out, as they must not be published.
    package var leftOut = 0
  }

  /// What it did so far.
  package private(set) var result = Result()
  /// Its path.
  package let path: String

  private let mode: mode_t
  private var before: Set<String> = []
  private var now: Set<String> = []
  private var leftOut: Set<String> = []
  private var folders: Set<String> = []

  private static let list = ".media-site"
  private static let mark = "media site 1"

  /// Opens a folder, or makes it.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: The permissions of its files.
  ///   - force: Whether it may hold other files.
  package init(at path: String, mode: mode_t, force: Bool) throws {
    (self.path, self.mode) = (path, mode)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    if names.contains(Self.list), let bytes = FileManager.default.contents(atPath: "\(path)/\(Self.list)") {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      guard lines.first == Self.mark else { throw Occupied(path: path) }
      before = Set(lines.dropFirst().filter(Self.isOwn))
    } else if !names.isEmpty, !force {
      throw Occupied(path: path)
    }
    try makeFolder(path)
    try writeList(before)
  }

  /// Writes a file unless it is there with these bytes.
  func put(_ bytes: [UInt8], at name: String) throws {
    now.insert(name)
    let target = "\(path)/\(name)"
    var facts = stat()
    if lstat(target, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size == bytes.count,
      let old = FileManager.default.contents(atPath: target), old.elementsEqual(bytes)
    {
      result.kept += 1
      return
    }
    try make(name) { try $0.write(bytes) }
  }

  /// Writes a blob unless it is there: its name says its bytes. Returns whether it is there now.
  func put(_ blob: BlobID, of blobs: any BlobStoring, at name: String) throws -> Bool {
    guard let info = try blobs.stat(blob) else { return false }
    guard now.insert(name).inserted else { return true }
    var facts = stat()
    if lstat("\(path)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size == info.byteCount {
      result.kept += 1
      return true
    }
    try make(name) { file in
      if let source = blobs.localFile(of: blob), file.clone(source) { return }
      var offset = 0
      while case let piece = try blobs.fetch(blob, offset..<offset + (1 << 20)), !piece.isEmpty {
        try file.write(piece)
        offset += piece.count
      }
    }
    return true
  }

  /// A file of so many bytes is compared with the one that is there; a longer one is written anew.
  private static let mostCompared = 32 << 20

  /// Writes a copy of a file.
  func put(fileAt source: String, at name: String) throws {
    var facts = stat()
    guard stat(source, &facts) == 0 else { throw NewFileError(source, errno) }
    if facts.st_size <= Self.mostCompared, let bytes = FileManager.default.contents(atPath: source) {
      return try put(Array(bytes), at: name)
    }
    now.insert(name)
    try make(name) { file in
      if file.clone(source) { return }
      let opened = open(source, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw NewFileError(source, errno) }
      defer { close(opened) }
      while true {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) {
          $1 = max(0, read(opened, $0.baseAddress, $0.count))
        }
        if piece.isEmpty { return }
        try file.write(piece)
      }
    }
  }

  /// Whether a file was written, or found as it is, in this run.
  func isPart(_ name: String) -> Bool { now.contains(name) }

  /// Notes that a file must not be part of the site. What an earlier run wrote of it is removed at the end.
  func leaveOut(_ name: String) { if leftOut.insert(name).inserted { result.leftOut += 1 } }

  /// Whether a file of this run, or of one before, is there, and is to stay.
  func holds(_ name: String) -> Bool { !leftOut.contains(name) && access("\(path)/\(name)", F_OK) == 0 }

  /// Counts a file that is there as part of the site.
  func keep(_ name: String) {
    if now.insert(name).inserted { result.kept += 1 }
  }

  /// Ends a run: removes what an earlier one wrote and this one did not.
  package func finish() throws {
    for name in before.subtracting(now) where unlink("\(path)/\(name)") == 0 { result.removed += 1 }
    try writeList(now)
  }

  private func make(_ name: String, _ fill: (NewFile) throws -> Void) throws {
    let target = "\(path)/\(name)"
    try makeFolder(PathText.parent(of: target))
    let file = try NewFile(at: target, mode: mode, replaces: true, syncs: false)
    try fill(file)
    try file.finish()
    result.written += 1
    result.bytes += file.byteCount
  }

  private func writeList(_ names: Set<String>) throws {
    let file = try NewFile(at: "\(path)/\(Self.list)", mode: mode, replaces: true)
    try file.write(Array("\(([Self.mark] + names.sorted()).joined(separator: "\n"))\n".utf8))
    try file.finish()
  }

  private func makeFolder(_ folder: String) throws {
    guard folders.insert(folder).inserted, access(folder, F_OK) != 0 else { return }
    if folder.hasPrefix("\(path)/") { try makeFolder(PathText.parent(of: folder)) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Whoever may read a file may enter its folder.
    chmod(folder, mode | (mode & 0o444) >> 2)
  }

  /// Whether a line of the list can be a file of a site. Somebody may have changed the list.
  private static func isOwn(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 3 && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
  }
}

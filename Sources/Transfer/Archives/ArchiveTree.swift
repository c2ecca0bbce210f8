import Glibc

/// The files of an archive: zip or tar, compressed or not. Nothing of it is unpacked: each file is read where it stands.
///
/// Entries that are links, devices or folders are no files, and so is what names a place outside. An archive that grows
/// beyond all reason is refused (https://en.wikipedia.org/wiki/Zip_bomb).
public final class ArchiveTree: ImportTree {
  /// What people call it.
  public let name: String
  /// Whether a file can be opened again by its path.
  public var isRandomAccess: Bool { false }
  /// What was left out so far, by kind.
  public private(set) var passedOver: [String: Int] = [:]
  private let file: Int32
  /// The archive's own length in bytes.
  private let length: Int

  /// A compressed text is a thirtieth of its length at best, and a zip bomb a thousandth.
  private static let highestRatio = 200
  /// What any archive may hold.
  private static let least = 256 << 20
  private static let mostEntries = 5_000_000

  /// Opens an archive; nil if the file's first bytes are those of none.
  ///
  /// - Throws: `ImportError` if the file cannot be read.
  public init?(_ path: String) throws {
    var status = stat()
    // A pipe or a device would be waited for.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ImportError.failed(path) }
    var head = [UInt8](repeating: 0, count: 512)
    let count = pread(file, &head, head.count, 0)
    guard Self.isArchive(Array(head.prefix(max(count, 0)))) else {
      close(file)
      return nil
    }
    (name, self.file, length) = (path, file, Int(status.st_size))
  }

  deinit { close(file) }

  /// The first bytes of zip, gzip, xz, zstd and bzip2 files, and what stands in the first header of a tar file.
  private static func isArchive(_ head: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [
      [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
      [0x28, 0xB5, 0x2F, 0xFD], Array("BZh".utf8),
    ]
    return marks.contains { head.starts(with: $0) }
      || head.count >= 262 && head[257..<262].elementsEqual("ustar".utf8)
  }

  /// Calls `body` with each file.
  public func eachFile(_ body: (any ImportFile) throws -> Bool) throws {
    passedOver = [:]
    let archive = try OpenArchive(file, name: name, most: max(Self.least, length * Self.highestRatio))
    var entries = 0
    while let entry = try archive.next() {
      entries += 1
      guard entries <= Self.mostEntries else {
        throw ImportError.tooLarge(path: name, reason: "it holds more than \(Self.mostEntries) files")
      }
      switch entry {
      case .file(let file): if try !body(file) { return }
      case .folder: break
      case .passedOver(let what): passedOver[what, default: 0] += 1
      }
    }
  }

  /// Calls `body` with each file of that name.
  public func eachFile(named paths: [String], _ body: @Sendable (any ImportFile) throws -> Void) throws {
    let wanted = Set(paths)
    if wanted.isEmpty { return }
    var seen: Set<String> = []
    try eachFile { file in
      // A name may occur twice; the first counts, as where it was chosen.
      if wanted.contains(file.path), seen.insert(file.path).inserted { try body(file) }
      return seen.count < wanted.count
    }
  }
}

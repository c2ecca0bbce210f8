import Glibc
import Synchronization

/// A file without a name in which drawn pictures lie, so that they take no memory while they are not seen. It goes with
/// the process at the latest, whatever ends that.
public final class PictureShelf: Sendable {
  /// Bytes that lie on a shelf, in pieces; their room is free again when nobody holds this.
  final class Piece: Sendable {
    private let shelf: PictureShelf
    fileprivate let blocks: [Int]
    private let count: Int

    fileprivate init(_ shelf: PictureShelf, blocks: [Int], count: Int) {
      (self.shelf, self.blocks, self.count) = (shelf, blocks, count)
    }

    deinit { shelf.free(blocks) }

    /// The bytes; nil where the disk does not give them back.
    var bytes: [UInt8]? { shelf.read(blocks, count: count) }
  }

  private struct Room {
    var free: [Int] = []
    var blocks = 0
  }

  private static let blockSize = 16 << 10

  private let file: Int32
  private let room = Mutex(Room())

  /// A shelf in a folder; nil where no such file can be made there, and pictures stay in memory.
  public init?(folder: String) {
    let unnamed = O_DIRECTORY | 0o20_000_000  // O_TMPFILE, a macro Swift does not see
    file = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
    if file < 0 { return nil }
  }

  deinit { close(file) }

  /// How long the file is.
  var byteCount: Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Puts bytes on the shelf; nil where there is no room on the disk.
  func keep(_ bytes: [UInt8]) -> Piece? {
    let piece = Piece(self, blocks: take((bytes.count + Self.blockSize - 1) / Self.blockSize), count: bytes.count)
    return write(bytes, to: piece) ? piece : nil
  }

  private func take(_ count: Int) -> [Int] {
    room.withLock { room in
      (0..<count).map { _ in
        if let block = room.free.popLast() { return block }
        defer { room.blocks += 1 }
        return room.blocks
      }
    }
  }

  private func free(_ blocks: [Int]) { room.withLock { $0.free += blocks } }

  private func write(_ bytes: [UInt8], to piece: Piece) -> Bool {
    bytes.withUnsafeBytes { bytes in
      Self.parts(piece.blocks, of: bytes.count).allSatisfy { part in
        pwrite(file, bytes.baseAddress! + part.start, part.count, part.place) == part.count
      }
    }
  }

  private func read(_ blocks: [Int], count: Int) -> [UInt8]? {
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      let start = UnsafeMutableRawPointer(buffer.baseAddress)
      isWhole = Self.parts(blocks, of: count).allSatisfy { part in
        pread(file, start! + part.start, part.count, part.place) == part.count
      }
      read = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }

  /// The parts of so many bytes and where each lies in the file.
  private static func parts(_ blocks: [Int], of count: Int) -> some Sequence<(start: Int, count: Int, place: Int)> {
    blocks.enumerated().lazy.map { number, block in
      let start = number * blockSize
      return (start, min(blockSize, count - start), block * blockSize)
    }
  }
}

import Glibc
import Synchronization

/// An unnamed file for drawn pictures, so that they take no memory while they are not shown. The system removes it when
/// the process ends, however it ends.
public final class DecodedPictureFile: Sendable {
  /// Bytes in the file. Their blocks are freed when the piece is deallocated.
  final class Piece: Sendable {
    private let owner: DecodedPictureFile
    fileprivate let blocks: [Int]
    private let count: Int

    fileprivate init(_ owner: DecodedPictureFile, blocks: [Int], count: Int) {
      (self.owner, self.blocks, self.count) = (owner, blocks, count)
    }

    deinit { owner.free(blocks) }

    /// The bytes; nil if they cannot be read.
    var bytes: [UInt8]? { owner.read(blocks, count: count) }
  }

  private struct Allocation {
    var free: [Int] = []
    var blocks = 0
  }

  private static let blockSize = 16 << 10

  private let file: Int32
  private let allocation = Mutex(Allocation())

  /// Creates the file in a folder; nil if it cannot be created there.
  public init?(folder: String) {
    let unnamed = O_DIRECTORY | 0o20_000_000  // O_TMPFILE, a macro Swift does not see
    file = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
    if file < 0 { return nil }
  }

  deinit { close(file) }

  /// The length of the file.
  var byteCount: Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Writes bytes to the file; nil if the disk is full.
  func keep(_ bytes: [UInt8]) -> Piece? {
    let piece = Piece(self, blocks: allocate((bytes.count + Self.blockSize - 1) / Self.blockSize), count: bytes.count)
    return write(bytes, to: piece) ? piece : nil
  }

  private func allocate(_ count: Int) -> [Int] {
    allocation.withLock { allocation in
      (0..<count).map { _ in
        if let block = allocation.free.popLast() { return block }
        defer { allocation.blocks += 1 }
        return allocation.blocks
      }
    }
  }

  private func free(_ blocks: [Int]) { allocation.withLock { $0.free += blocks } }

  private func write(_ bytes: [UInt8], to piece: Piece) -> Bool {
    bytes.withUnsafeBytes { bytes in
      Self.parts(piece.blocks, of: bytes.count).allSatisfy { part in
        pwrite(file, bytes.baseAddress! + part.start, part.count, part.offset) == part.count
      }
    }
  }

  private func read(_ blocks: [Int], count: Int) -> [UInt8]? {
    var isComplete = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      let start = UnsafeMutableRawPointer(buffer.baseAddress)
      isComplete = Self.parts(blocks, of: count).allSatisfy { part in
        pread(file, start! + part.start, part.count, part.offset) == part.count
      }
      read = isComplete ? count : 0
    }
    return isComplete ? bytes : nil
  }

  /// The parts of `count` bytes, and the offset of each in the file.
  private static func parts(_ blocks: [Int], of count: Int) -> some Sequence<(start: Int, count: Int, offset: Int)> {
    blocks.enumerated().lazy.map { number, block in
      let start = number * blockSize
      return (start, min(blockSize, count - start), block * blockSize)
    }
  }
}

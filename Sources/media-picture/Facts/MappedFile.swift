import Glibc

/// The bytes of an open file, in memory as far as they are read.
struct MappedFile: ~Copyable {
  /// The bytes. They are valid as long as this value.
  let bytes: UnsafeRawBufferPointer

  /// Maps a file that is not empty.
  init(_ file: borrowing PictureFile) throws(Refusal) {
    let count = file.byteCount
    let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let address, address != MAP_FAILED else { throw Refusal("memory is short") }
    bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

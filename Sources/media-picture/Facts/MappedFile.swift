import Glibc

/// The bytes of an open file, in memory as far as they are read.
enum MappedFile {
  /// Calls a function with the bytes, which are valid as long as it runs.
  ///
  /// - Parameter file: A file that is not empty.
  static func read<Value>(
    _ file: borrowing PictureFile, _ body: (UnsafeRawBufferPointer) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    let count = file.byteCount
    let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let address, address != MAP_FAILED else { throw Refusal("memory is short") }
    defer { munmap(address, count) }
    return try body(UnsafeRawBufferPointer(start: address, count: count))
  }
}

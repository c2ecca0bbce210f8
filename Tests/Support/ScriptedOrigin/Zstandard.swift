/// Zeros in the smallest Zstandard encoding (RFC 8878): blocks of one byte that is repeated 128 KB long.
public func zstandard(zeros count: Int) -> [UInt8] {
  let largest = 128 << 10
  let blocks = max(1, (count + largest - 1) / largest)
  // The magic number, no options, a window of 128 KB.
  var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
  for block in 0..<blocks {
    let size = min(largest, count - block * largest)
    let head = size << 3 | 0b010 | (block == blocks - 1 ? 1 : 0)
    bytes += (0..<3).map { UInt8(truncatingIfNeeded: head >> ($0 * 8)) } + [0]
  }
  return bytes
}

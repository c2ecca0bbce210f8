/// Zeros in the smallest gzip encoding (RFC 1952): deflate's fixed codes, runs of 258 bytes at distance 1.
public func gzip(zeros count: Int) -> [UInt8] {
  var bits = BitWriter()
  bits.put(0b011, 3)  // the last block, fixed codes
  bits.putCode(0x30, 8)  // one literal zero
  let (runs, rest) = ((count - 1) / 258, (count - 1) % 258)
  for _ in 0..<runs {
    bits.putCode(0b1100_0101, 8)  // length 258
    bits.putCode(0, 5)  // distance 1
  }
  for _ in 0..<rest { bits.putCode(0x30, 8) }
  bits.putCode(0, 7)  // the end
  let sum = crcOfZeros(count)
  let trailer = [Int(sum), count].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
  return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits.finish() + trailer
}

/// Bytes as gzip that stores them as they are (RFC 1951, 3.2.4).
public func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var body: [UInt8] = []
  var rest = bytes[...]
  repeat {
    let part = rest.prefix(0xFFFF)
    rest = rest.dropFirst(part.count)
    let length = UInt16(part.count)
    body.append(rest.isEmpty ? 1 : 0)
    for number in [length, ~length] { body += [UInt8(number & 255), UInt8(number >> 8)] }
    body += part
  } while !rest.isEmpty
  let trailer = [Int(crc(of: bytes)), bytes.count].flatMap { number in
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
  return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + body + trailer
}

private func crcOfZeros(_ count: Int) -> UInt32 { crc(of: repeatElement(0, count: count)) }

func crc(of bytes: some Sequence<UInt8>) -> UInt32 {
  let table = (0..<256).map { value in
    var crc = UInt32(value)
    for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    return crc
  }
  var crc = UInt32.max
  for byte in bytes { crc = (crc >> 8) ^ table[Int((crc ^ UInt32(byte)) & 255)] }
  return ~crc
}

private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending = 0
  private var filled = 0

  /// Least significant bit first, as deflate packs numbers.
  mutating func put(_ value: Int, _ width: Int) {
    pending |= value << filled
    filled += width
    while filled >= 8 {
      bytes.append(UInt8(pending & 255))
      pending >>= 8
      filled -= 8
    }
  }

  /// Most significant bit first, as deflate packs codes.
  mutating func putCode(_ code: Int, _ width: Int) {
    for bit in (0..<width).reversed() { put(code >> bit & 1, 1) }
  }

  mutating func finish() -> [UInt8] { filled > 0 ? bytes + [UInt8(pending)] : bytes }
}

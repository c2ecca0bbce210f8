import Glibc

/// Reads a file of the system whole, up to 256 KiB of it; nil if it cannot be read.
func smallFile(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 256 << 10)
  var count = 0
  while count < bytes.count {
    let read = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard read >= 0 else { return nil }
    if read == 0 { break }
    count += read
  }
  return Array(bytes[..<count])
}

import Blobs
import Glibc

/// A file that is a picture according to its own bytes.
struct PictureFile: ~Copyable {
  /// The type according to its bytes.
  let type: MediaType
  /// The orientation that it states, if decoders do not read it; nil if there is none.
  let orientation: Int?
  /// The number of its bytes.
  let byteCount: Int
  /// The open file, at its start.
  let descriptor: Int32

  static let mostBytes = 256 << 20
  /// SVG is active content and is never rendered. Which of the others are drawn depends on the decoders that are installed.
  static let drawable: Set<MediaType> = [
    .jpeg, .png, .gif, .webp, .avif, .heic, .jpegXL, .jpeg2000, .tiff, .bmp, .icon,
  ]

  /// Opens a file, and reads its first and last bytes.
  ///
  /// - Parameters:
  ///   - accepted: The types that are not refused.
  ///   - mostBytes: The maximum length of the file.
  init(
    _ path: String, accepting accepted: Set<MediaType> = Self.drawable, mostBytes: Int = Self.mostBytes
  ) throws(Refusal) {
    // Non-blocking: the other end of a pipe may never be opened.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal("the file cannot be opened: \(String(cString: strerror(errno)))") }
    do {
      let length = try Self.length(descriptor, most: mostBytes)
      type = try Self.type(descriptor, length: length, among: accepted)
      orientation = try? MediaHeader.orientation(of: type, descriptor: descriptor, length: length)
      byteCount = length
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Reads the next bytes into a buffer. Returns their number, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw Refusal("the file cannot be read: \(String(cString: strerror(errno)))") }
    return count
  }

  private static func length(_ descriptor: Int32, most mostBytes: Int) throws(Refusal) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal("it is not a regular file")
    }
    guard status.st_size > 0 else { throw Refusal("the file is empty") }
    guard status.st_size <= mostBytes else { throw Refusal("the file is larger than \(mostBytes >> 20) MB") }
    return Int(status.st_size)
  }

  private static func head(_ descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: UnknownType.headLength) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  private static func type(
    _ descriptor: Int32, length: Int, among accepted: Set<MediaType>
  ) throws(Refusal) -> MediaType {
    guard let header = try? MediaHeader(descriptor: descriptor, length: length) else {
      throw Refusal("the file cannot be read")
    }
    guard let type = header.type else {
      throw Refusal("it is \(UnknownType.name(head(descriptor)))")
    }
    guard accepted.contains(type) else { throw Refusal("it is \(type.rawValue), which is not drawn") }
    if header.isCutShort { throw Refusal("the picture is damaged: its end is missing") }
    if let size = header.size { try Measures.check(width: size.width, height: size.height) }
    return type
  }
}

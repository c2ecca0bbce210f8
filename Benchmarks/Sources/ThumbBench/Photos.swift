import Blobs
import Foundation

/// Made-up pictures as large as a camera's. They are noisy, because what a picture costs is the number of its bytes.
enum Photos {
  private static let (width, height) = (4000, 3000)

  /// The pictures of a library. Each has other bytes.
  static func blobs(in folder: String, count: Int) throws -> [BlobID] {
    let store = DiskBlobs(library: folder)
    let jpeg = try jpeg()
    return try (0..<count).map { number in
      let draft = try store.draft()
      // A comment, so that each has a name of its own.
      let bytes = jpeg[..<2] + [0xFF, 0xFE, 0, 3, UInt8(number)] + jpeg[2...]
      try Array(bytes).withUnsafeBytes { try draft.write($0) }
      return try store.keep([draft])[0].id
    }
  }

  static func megabytes(_ blobs: [BlobID], _ folder: String) throws -> String {
    let bytes = try DiskBlobs(library: folder).stat(blobs[0])?.byteCount ?? 0
    return String(format: "%.1f", Double(bytes) / 1e6)
  }

  private static func jpeg() throws -> [UInt8] {
    typealias Begin = @convention(c) () -> OpaquePointer?
    typealias Compress =
      @convention(c) (
        OpaquePointer?, UnsafePointer<UInt8>, Int32, Int32, Int32, Int32,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        UnsafeMutablePointer<UInt>, Int32, Int32, Int32
      ) -> Int32
    guard let library = dlopen("libturbojpeg.so.0", RTLD_NOW), let begin = dlsym(library, "tjInitCompress"),
      let compress = dlsym(library, "tjCompress2")
    else { throw CocoaError(.featureUnsupported) }
    var (bytes, count) = (UnsafeMutablePointer<UInt8>?.none, UInt(0))
    // RGB, 4:2:0, quality 88.
    let code = unsafeBitCast(compress, to: Compress.self)(
      unsafeBitCast(begin, to: Begin.self)(), pixels(), Int32(width), 0, Int32(height), 0, &bytes, &count, 2, 88, 0)
    guard code == 0, let bytes else { throw CocoaError(.featureUnsupported) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func pixels() -> [UInt8] {
    var noise: UInt32 = 1
    return [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
      for index in 0..<width * height * 3 {
        let (x, y, channel) = (Double(index / 3 % width), Double(index / 3 / width), Double(index % 3))
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let smooth = 128 + 60 * sin(x / (97 + 31 * channel)) * cos(y / (133 - 11 * channel)) + 40 * sin((x + y) / 17)
        buffer[index] = UInt8(min(255, max(0, smooth + (Double(noise >> 24) - 128) * 30 / 128)))
      }
      count = width * height * 3
    }
  }
}

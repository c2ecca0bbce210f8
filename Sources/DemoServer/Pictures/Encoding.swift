import CPicture
import Glibc

/// The format of a picture file.
enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg = "jpg"
  case png
  case webp

  var contentType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    }
  }
}

/// A picture as bytes.
struct EncodedPicture: Sendable {
  var bytes: [UInt8]
  /// The format of the bytes, which differs from the requested one if its library is missing.
  var format: PictureFormat
}

/// The picture libraries of this machine, each opened at its first use.
enum Encoders {
  /// The picture in `format`, or in another one when its library is missing.
  static func encode(_ canvas: Canvas, as format: PictureFormat) throws(DemoServerError) -> EncodedPicture {
    for format in [format, .jpeg, .png, .webp] {
      if let bytes = bytes(of: canvas, as: format) { return EncodedPicture(bytes: bytes, format: format) }
    }
    throw .noPictureLibrary
  }

  private static func bytes(of canvas: Canvas, as format: PictureFormat) -> [UInt8]? {
    let (width, height) = (Int32(canvas.width), Int32(canvas.height))
    var length = 0
    var bytes: UnsafeMutablePointer<UInt8>?
    switch format {
    case .jpeg:
      guard var door = jpeg?.door else { return nil }
      bytes = picture_encode_jpeg(&door, canvas.pixels, width, height, 88, &length)
    case .png:
      guard var door = png?.door else { return nil }
      bytes = picture_encode_png(&door, canvas.pixels, width, height, &length)
    case .webp:
      guard var door = webp?.door else { return nil }
      bytes = picture_encode_webp(&door, canvas.pixels, width, height, 80, &length)
    }
    guard let bytes else { return nil }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: length))
  }

  private static let jpeg = Library(picture_jpeg(), picture_open_jpeg)
  private static let png = Library(picture_png(), picture_open_png)
  private static let webp = Library(picture_webp(), picture_open_webp)
}

/// The functions of an open library.
///
/// Unchecked, because C function pointers are not `Sendable`: these never change once opened, their library is never
/// closed, and each call uses only its caller's buffers.
private struct Library<Door>: @unchecked Sendable {
  let door: Door

  /// Returns nil if the library, or a function in it, is missing.
  init?(_ empty: Door, _ open: (UnsafeMutablePointer<Door>) -> Int32) {
    var door = empty
    guard open(&door) != 0 else { return nil }
    self.door = door
  }
}

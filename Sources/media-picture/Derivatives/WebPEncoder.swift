import CChafa
import CWebP

/// Encodes pixels as WebP.
struct WebPEncoder {
  private static let quality: Float = 75
  // Two of six: the default of four makes files a tenth smaller in twice the time.
  private static let method: Int32 = 2

  private let library: webp_encoder

  /// The encoder of libwebp, which is loaded at the first picture.
  static func loaded() throws(Refusal) -> WebPEncoder {
    var library = webp_encoder()
    guard webp_open(&library) != 0 else { throw Refusal(missing: "libwebp.so.7") }
    return WebPEncoder(library: library)
  }

  /// A WebP file. Alpha is kept, and so is a colour profile.
  func encode(_ pixels: Pixels, _ profile: ColourProfile?) throws(Refusal) -> [UInt8] {
    var written = WebPMemoryWriter()
    let done = withUnsafePointer(to: library) { library in
      webp_encode(
        library, gdk_pixbuf_read_pixels(pixels.pointer), Int32(pixels.width), Int32(pixels.height),
        gdk_pixbuf_get_rowstride(pixels.pointer), gdk_pixbuf_get_has_alpha(pixels.pointer), Self.quality, Self.method,
        &written)
    }
    guard done != 0 else { throw Refusal("memory is short") }
    defer { withUnsafePointer(to: library) { webp_release($0, &written) } }
    let bytes = Array(UnsafeBufferPointer(start: written.mem, count: written.size))
    return profile?.embedded(in: bytes, width: pixels.width, height: pixels.height) ?? bytes
  }
}

import Blobs
import CChafa
import CVideo

/// The picture that stands for a video: a frame after a tenth of it, since many begin black.
enum VideoPoster {
  private static let share = 0.1
  private static let latest = 10.0

  /// Whether the libraries that read videos are installed.
  static var isAvailable: Bool {
    var library = video_library()
    return video_open_library(&library) != 0
  }

  /// The frame, upright and with square pixels, with a longer side of at most `edge`.
  static func pixels(_ file: borrowing PictureFile, edge: Int) throws(Refusal) -> Pixels {
    let video = try OpenVideo(file, showing: true)
    let open = video.pointer
    guard video_frame_at(open, min(share * video_seconds(open), latest)) != 0 || video_frame_at(open, 0) != 0 else {
      throw Refusal("the video is damaged: none of its first frames can be decoded")
    }
    return try withExtendedLifetime(video) { () throws(Refusal) in
      try rotated(scaled(open, edge: edge), by: video_rotation(open))
    }
  }

  private static func scaled(_ open: UnsafePointer<video>, edge: Int) throws(Refusal) -> Pixels {
    let frame = open.pointee.frame.pointee
    let (width, height) = (Int(frame.width), Int(frame.height))
    try Measures.check(width: width, height: height)
    // A ratio beyond this is damage.
    let ratio = min(10, max(0.1, video_pixel_ratio(open)))
    let size = Reduction.size(max(1, Int((Double(width) * ratio).rounded())), height, to: edge)
    guard let pixels = gdk_pixbuf_new(PICTURE_RGB.signed, 0, 8, Int32(size.width), Int32(size.height)) else {
      throw Refusal("memory is short")
    }
    let scaled = Pixels(pixels)
    let stride = gdk_pixbuf_get_rowstride(pixels)
    guard video_scale(open, gdk_pixbuf_get_pixels(pixels), Int32(size.width), Int32(size.height), stride) != 0 else {
      throw Refusal("nothing here converts its pixels")
    }
    return scaled
  }

  /// The pixels rotated counterclockwise to the next quarter turn.
  private static func rotated(_ pixels: Pixels, by degrees: Double) throws(Refusal) -> Pixels {
    guard degrees.isFinite, abs(degrees) <= 360 else { return pixels }
    let quarters = (Int((degrees / 90).rounded()) % 4 + 4) % 4
    guard quarters > 0 else { return pixels }
    guard let rotated = gdk_pixbuf_rotate_simple(pixels.pointer, Int32(90 * quarters)) else {
      throw Refusal("memory is short")
    }
    return Pixels(rotated)
  }
}

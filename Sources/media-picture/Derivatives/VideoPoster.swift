import CChafa
import CVideo
import Glibc

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

  /// So many seconds of a processor the frames may take, and so many by the clock: less than the limits that end the process.
  private static let (mostProcessorSeconds, mostSeconds) = (5, 60)
  /// The frame at a boundary is the one that begins there, whatever rounding does to either.
  private static let rounding = 0.005

  /// The frames at some parts of its length, upright and with square pixels.
  ///
  /// - Returns: The length in milliseconds, the size in pixels, and each frame with a longer side of at most `edge`; nil where
  ///   it cannot be decoded.
  static func frames(
    _ file: borrowing PictureFile, at shares: [Double], edge: Int
  ) throws(Refusal) -> (milliseconds: Int, size: (width: Int, height: Int), frames: [Pixels?]) {
    let video = try OpenVideo(file, showing: true)
    return try withExtendedLifetime(video) { () throws(Refusal) in
      let open = video.pointer
      let seconds = video_seconds(open)
      guard seconds > 0, seconds < longest else { throw Refusal("the video does not say how long it is") }
      let (end, latest) = (clock() + mostProcessorSeconds * CLOCKS_PER_SEC, time(nil) + mostSeconds)
      var size: (width: Int, height: Int)?
      let frames = try shares.map { share throws(Refusal) -> Pixels? in
        guard video_frame_shown_at(open, share * seconds + rounding, end, latest) != 0 else { return nil }
        let frame = try rotated(scaled(open, edge: edge), by: video_rotation(open))
        let full = squareSize(open)
        size = size ?? ((full.width > full.height) == (frame.width > frame.height) ? full : (full.height, full.width))
        return frame
      }
      guard let size else { throw Refusal("the video is damaged: none of its frames can be decoded") }
      return (max(1, Int(seconds * 1000)), size, frames)
    }
  }

  /// A year in seconds.
  private static let longest = 31_536_000.0

  /// The size of the open frame with square pixels, as it is stored.
  private static func squareSize(_ open: UnsafePointer<video>) -> (width: Int, height: Int) {
    // A ratio beyond this is damage.
    let ratio = min(10, max(0.1, video_pixel_ratio(open)))
    let frame = open.pointee.frame.pointee
    return (max(1, Int((Double(frame.width) * ratio).rounded())), Int(frame.height))
  }

  private static func scaled(_ open: UnsafePointer<video>, edge: Int) throws(Refusal) -> Pixels {
    let frame = open.pointee.frame.pointee
    try Measures.check(width: Int(frame.width), height: Int(frame.height))
    let whole = squareSize(open)
    let size = Reduction.size(whole.width, whole.height, to: edge)
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

import Blobs
import CChafa
import Glibc

/// Hashes what a picture looks like.
enum PictureHasher {
  /// The shorter side to which a picture is decoded: twice that of the thumbnail, so that reducing it averages.
  private static let side = 2 * PictureHash.thumbnailSide

  /// The hash of the picture in a file, upright. That of a video or an animated picture is the hash of its middle, with
  /// those of its frames.
  static func hash(of path: String) throws(Refusal) -> PictureHash {
    // A video may have any length: only parts of it are read.
    let file = try PictureFile(path, accepting: PictureFile.drawable.union(Derivation.videos), mostBytes: .max)
    if Derivation.videos.contains(file.type) { return try hash(ofVideo: file) }
    guard file.byteCount <= PictureFile.mostBytes else {
      throw Refusal("the file is larger than \(PictureFile.mostBytes >> 20) MB")
    }
    let measured = MeasuredSize()
    let decoding = Decoding { measured.covering($0, $1, side: side) }
    let pixels = try decoding.pixels(file)
    let hash = try hash(pixels, size: measured.upright(like: pixels))
    // What moves and cannot be followed is as good as still.
    guard let motion = try? MediaHeader.motion(of: file.type, descriptor: file.descriptor, length: file.byteCount),
      PictureHash.Film.durations.contains(motion.duration),
      motion.frames <= mostAnimatedPixels / (hash.width * hash.height)
    else { return hash }
    let times = PictureHash.Film.shares.map { Int(($0 * Double(motion.duration)).rounded()) + rounding }
    let frames = try? decoding.pictures(PictureFile(path), at: times) { pixels throws(Refusal) in
      try Self.hash(pixels, size: (hash.width, hash.height))
    }
    return frames.flatMap { film($0, of: motion.duration) } ?? hash
  }

  /// The frame at a boundary is the one that begins there, as in a video; milliseconds.
  private static let rounding = 5
  /// So many pixels of an animation are decoded at most: a few seconds of a processor.
  private static let mostAnimatedPixels = 300_000_000

  private static func hash(ofVideo file: borrowing PictureFile) throws(Refusal) -> PictureHash {
    let video = try VideoPoster.frames(file, at: PictureHash.Film.shares, edge: 4 * side)
    let frames = try video.frames.map { pixels throws(Refusal) in
      try pixels.map { pixels throws(Refusal) in try hash(pixels, size: video.size) }
    }
    guard let film = film(frames, of: video.milliseconds) else {
      throw Refusal("the video is damaged: none of its frames can be decoded")
    }
    return film
  }

  /// The hash of the middle, or of the first frame if that is missing, with all frames; nil if there is none.
  private static func film(_ frames: [PictureHash?], of duration: Int) -> PictureHash? {
    let known = frames.compactMap(\.self)
    guard let first = known.first else { return nil }
    var hash = frames[PictureHash.Film.middle] ?? first
    hash.film = PictureHash.Film(duration: duration, frames: frames)
    return hash
  }

  private static func hash(_ pixels: Pixels, size: (width: Int, height: Int)) throws(Refusal) -> PictureHash {
    let parts = try pixels.shades(9, 8)
    let thumbnail = try pixels.shades(PictureHash.thumbnailSide, PictureHash.thumbnailSide)
    return PictureHash(
      difference: difference(parts) { $0 }, mirrored: difference(parts) { 8 - $0 },
      frequencies: frequencies(thumbnail), thumbnail: thumbnail, width: size.width, height: size.height)
  }

  // Of areas of one shade, what a compression leaves would decide otherwise. Measured: docs/decisions/near-duplicates.md.
  private static let noise = 1

  /// One bit for each pair of neighbours in a row: whether the left one is brighter by more than noise.
  private static func difference(_ shades: [UInt8], _ column: (Int) -> Int) -> UInt64 {
    (0..<64).reduce(0) { bits, index in
      let (row, left) = (index / 8, index % 8)
      return bits << 1 | (Int(shades[9 * row + column(left)]) > Int(shades[9 * row + column(left + 1)]) + noise ? 1 : 0)
    }
  }

  /// One bit for each of the lowest frequencies of the discrete cosine transform: whether it is above their median
  /// (https://www.phash.org/docs/design.html).
  private static func frequencies(_ shades: [UInt8]) -> UInt64 {
    let side = PictureHash.thumbnailSide
    var rows = [Double](repeating: 0, count: 8 * side)
    for y in 0..<side {
      for u in 0..<8 {
        rows[8 * y + u] = (0..<side).reduce(0) { $0 + Double(shades[side * y + $1]) * cosines[side * u + $1] }
      }
    }
    let values = (0..<64).map { index in
      (0..<side).reduce(0) { $0 + rows[8 * $1 + index % 8] * cosines[side * (index / 8) + $1] }
    }
    let sorted = values.sorted()
    let median = (sorted[31] + sorted[32]) / 2
    return values.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) }
  }

  private static let cosines: [Double] = (0..<8).flatMap { u in
    (0..<PictureHash.thumbnailSide).map { x in
      cos(Double.pi / Double(PictureHash.thumbnailSide) * (Double(x) + 0.5) * Double(u))
    }
  }

  /// SHA-256 of the decoded pixels, upright, with their width and height. Files that differ only in what they say beside
  /// the pixels have the same.
  static func pixels(of path: String) throws(Refusal) -> String {
    let pixels = try Decoding { ($0, $1) }.pixels(PictureFile(path))
    guard let hash = BlobHash() else { throw Refusal("the system offers no SHA-256") }
    let channels = gdk_pixbuf_get_has_alpha(pixels.pointer) != 0 ? 4 : 3
    let head = "\(pixels.width) \(pixels.height) \(channels)\n"
    Array(head.utf8).withUnsafeBytes { hash.add($0) }
    let stride = Int(gdk_pixbuf_get_rowstride(pixels.pointer))
    guard let bytes = gdk_pixbuf_read_pixels(pixels.pointer) else { throw Refusal("memory is short") }
    for row in 0..<pixels.height {
      hash.add(UnsafeRawBufferPointer(start: bytes + row * stride, count: pixels.width * channels))
    }
    return hash.end().hex
  }
}

/// The size of a picture as its file states it, which is known only while it is decoded.
private final class MeasuredSize {
  private var size: (width: Int, height: Int)?

  /// The size at which to decode the picture, so that its shorter side is about `side`.
  func covering(_ width: Int, _ height: Int, side: Int) -> (width: Int, height: Int) {
    size = (width, height)
    let shorter = max(1, min(width, height))
    guard shorter > side else { return (width, height) }
    func reduced(_ length: Int) -> Int { max(1, (length * side + shorter / 2) / shorter) }
    return (reduced(width), reduced(height))
  }

  /// The size, turned as the decoded pixels are.
  func upright(like pixels: Pixels) -> (width: Int, height: Int) {
    // Not every decoder tells the size before it decodes. Then the pixels are not reduced.
    guard let size else { return (pixels.width, pixels.height) }
    let isTurned = (size.width > size.height) != (pixels.width > pixels.height)
    return isTurned ? (size.height, size.width) : size
  }
}

extension Pixels {
  /// The picture in shades of grey, row by row, at a size that need not have its form. What is transparent is white.
  func shades(_ width: Int, _ height: Int) throws(Refusal) -> [UInt8] {
    guard let scaled = gdk_pixbuf_scale_simple(pointer, Int32(width), Int32(height), PICTURE_BILINEAR.signed) else {
      throw Refusal("memory is short")
    }
    return try Pixels(scaled).shades()
  }

  /// The picture in shades of grey, row by row.
  func shades() throws(Refusal) -> [UInt8] {
    guard let bytes = gdk_pixbuf_read_pixels(pointer) else { throw Refusal("memory is short") }
    let (width, height) = (width, height)
    let stride = Int(gdk_pixbuf_get_rowstride(pointer))
    let hasAlpha = gdk_pixbuf_get_has_alpha(pointer) != 0
    return [UInt8](unsafeUninitializedCapacity: width * height) { shades, count in
      count = width * height
      for index in 0..<count {
        let pixel = bytes + index / width * stride + index % width * (hasAlpha ? 4 : 3)
        // ITU-R BT.601.
        let shade = (299 * Int(pixel[0]) + 587 * Int(pixel[1]) + 114 * Int(pixel[2]) + 500) / 1000
        let alpha = hasAlpha ? Int(pixel[3]) : 255
        shades[index] = UInt8((shade * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
  }
}

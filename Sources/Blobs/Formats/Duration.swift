// How long an animated picture moves, by the times that its container states.

extension MediaHeader {
  /// The frames that are counted.
  private static let mostFrames = 10_000

  /// How long an animated picture takes from its first picture to its last.
  ///
  /// - Parameters:
  ///   - type: The file's type.
  ///   - descriptor: The open file.
  ///   - length: How many bytes of the file to consider.
  /// - Returns: Milliseconds; nil if the file has only one picture, or is of another type than GIF, PNG and WebP.
  /// - Throws: `BlobError` if the file cannot be read.
  public static func duration(of type: MediaType, descriptor: Int32, length: Int) throws(BlobError) -> Int? {
    try motion(of: type, descriptor: descriptor, length: length)?.duration
  }

  /// The number of pictures of an animated picture, and its `duration` in milliseconds.
  ///
  /// - Parameters:
  ///   - type: The file's type.
  ///   - descriptor: The open file.
  ///   - length: How many bytes of the file to consider.
  /// - Returns: Nil if the file has only one picture, or is of another type than GIF, PNG and WebP.
  /// - Throws: `BlobError` if the file cannot be read.
  public static func motion(
    of type: MediaType, descriptor: Int32, length: Int
  ) throws(BlobError) -> (frames: Int, duration: Int)? {
    try motion(of: type, length: length) { offset, count throws(BlobError) in
      try Descriptor.read(descriptor, at: offset, count: min(count, max(0, length - offset)), path: "")
    }
  }

  static func motion<Failure>(
    of type: MediaType, length: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> (frames: Int, duration: Int)? {
    var times: [Int] = []
    switch type {
    case .gif:
      let frames = try GIF.frames(read: read)
      return frames.count > 1 ? (frames.count, frames.time * 10) : nil
    case .png:
      for chunk in try PNG.chunks("fcTL", most: mostFrames, length: length, read: read) {
        let frame = try read(chunk.lowerBound, 26)
        guard let above = frame.bigEndian(2, at: 20), let below = frame.bigEndian(2, at: 22) else { break }
        // W3C PNG, 11.3.4.2: a denominator of 0 means hundredths.
        times.append(1000 * above / (below == 0 ? 100 : below))
      }
    case .webp:
      for chunk in try RIFF.chunks("ANMF", most: mostFrames, length: length, read: read) {
        times.append(try read(chunk.lowerBound, 16).littleEndian(3, at: 12) ?? 0)
      }
    default: return nil
    }
    return times.count > 1 ? (times.count, times.reduce(0, +)) : nil
  }
}

/// What a picture looks like, in few bits, so that it is found again after it was made smaller or compressed anew.
public struct PictureHash: Codable, Sendable, Hashable {
  /// The sides of `thumbnail` in pixels.
  public static let thumbnailSide = 32
  /// Larger distances between two pictures say that they differ.
  public static let sameDistance = 4
  /// Up to this distance two pictures are likely the same.
  public static let likelyDistance = 8

  /// The difference hash: one bit for each of 8 × 8 parts, whether it is brighter than the part to its right.
  public var difference: UInt64
  /// The difference hash of the mirrored picture.
  public var mirrored: UInt64
  /// The hash of its 8 × 8 lowest frequencies.
  public var frequencies: UInt64
  /// The picture in 32 × 32 shades of grey, row by row.
  public var thumbnail: [UInt8]
  /// Its width in pixels, as it is shown.
  public var width: Int
  /// Its height in pixels, as it is shown.
  public var height: Int
  /// The frames of a video or an animated picture; nil for a still one.
  public var film: Film?

  /// What a video or an animated picture looks like.
  public struct Film: Codable, Sendable, Hashable {
    /// The parts of the length after which frames are hashed.
    public static let shares = [0.1, 0.3, 0.5, 0.7, 0.9]
    /// The index of the frame whose hash is that of the film.
    public static let middle = 2
    /// So many frames must be the same at least.
    private static let fewestSame = 4

    /// The lengths that a film may have, in milliseconds: up to a year.
    public static let durations = 1...31_536_000_000

    /// Its length in milliseconds.
    public var duration: Int
    /// The hash of the frame at each of `shares`; nil if it cannot be decoded.
    public var frames: [PictureHash?]

    /// A film from its parts.
    public init(duration: Int, frames: [PictureHash?]) { (self.duration, self.frames) = (duration, frames) }

    /// By how many milliseconds a film may be shorter than one of `duration`: 2 %, or a second. Cutting at key frames and other
    /// tracks change as much.
    public static func reach(_ duration: Int) -> Int { max(1000, duration / 50) }

    /// Whether both are of one length.
    ///
    /// - Parameters:
    ///   - one: Milliseconds; nil for a still picture, which has no length.
    ///   - other: The other's.
    public static func haveOneLength(_ one: Int?, _ other: Int?) -> Bool {
      guard let one, let other else { return one == other }
      return abs(one - other) <= reach(max(one, other))
    }

    /// Whether both are the same film in other bytes: of one length, and the same in their middles and in three of the four
    /// other frames, which are not all of one shade.
    ///
    /// An index finds films by their middles. Films of one shade may differ in all that is heard.
    func isSame(as other: Film) -> Bool {
      guard isPlausible, other.isPlausible, Self.haveOneLength(duration, other.duration) else { return false }
      let same = frames.indices.filter { index in
        frames[index].flatMap { one in other.frames[index].map { one.isSame(asFrame: $0) } } ?? false
      }
      return same.contains(Self.middle) && same.count >= Self.fewestSame
        && !same.allSatisfy { frames[$0]?.isOfOneShade ?? true }
    }

    /// Whether the frames are as many as `shares`, and none has frames of its own.
    var isPlausible: Bool {
      Self.durations.contains(duration) && frames.count == Self.shares.count
        && frames.allSatisfy { $0.map { $0.film == nil && $0.isPlausible } ?? true }
    }
  }

  /// A hash from its parts.
  public init(
    difference: UInt64, mirrored: UInt64, frequencies: UInt64, thumbnail: [UInt8], width: Int, height: Int
  ) {
    self.difference = difference
    self.mirrored = mirrored
    self.frequencies = frequencies
    self.thumbnail = thumbnail
    self.width = width
    self.height = height
  }

  /// Whether all parts are of the lengths and ranges that a picture has.
  public var isPlausible: Bool {
    thumbnail.count == Self.thumbnailSide * Self.thumbnailSide && (1...1_000_000).contains(width)
      && (1...1_000_000).contains(height) && film?.isPlausible != false
  }

  /// The number of bits in which two difference hashes differ.
  public static func distance(_ one: UInt64, _ other: UInt64) -> Int { (one ^ other).nonzeroBitCount }

  /// How far two pictures are from each other: the bits of their difference hashes that differ.
  public func distance(to other: PictureHash) -> Int { Self.distance(difference, other.difference) }

  /// Whether both are the same picture in other bytes: near by both hashes, of one form, and alike in their thumbnails, on the
  /// whole and in every part.
  ///
  /// Hashes alone say it of screenshots and of pictures with one frame, too. Films are compared by their frames: many begin
  /// alike. A film is never the same as a still picture.
  public func isSame(as other: PictureHash) -> Bool {
    if let film, let others = other.film { return film.isSame(as: others) }
    guard film == nil, other.film == nil else { return false }
    return isSame(as: other, within: Self.sameDistance, Self.mostFrequencies)
  }

  /// Whether both are the same frame of a film. Videos are compressed more than pictures, and four frames say more than one.
  fileprivate func isSame(asFrame other: PictureHash) -> Bool {
    isSame(as: other, within: Self.likelyDistance, Self.mostFrequenciesOfFrames)
  }

  private func isSame(as other: PictureHash, within distance: Int, _ mostFrequencies: Int) -> Bool {
    self.distance(to: other) <= distance && Self.distance(frequencies, other.frequencies) <= mostFrequencies
      && Self.haveOneForm((width, height), (other.width, other.height)) && hasShades(of: other)
  }

  // Measured: docs/decisions/near-duplicates.md. Shades are of 256.
  private static let (mostFrequencies, mostContrast, mostPartContrast) = (10, 8, 16)
  private static let mostFrequenciesOfFrames = 16

  /// Whether the thumbnails have the same shades: each pixel nearly, on average, and each of 8 × 8 parts on its own.
  private func hasShades(of other: PictureHash) -> Bool {
    guard isPlausible, other.isPlausible else { return false }
    let side = Self.thumbnailSide
    var sum = 0
    var parts = [Int](repeating: 0, count: 64)
    for index in thumbnail.indices {
      let difference = Int(thumbnail[index]) - Int(other.thumbnail[index])
      sum += abs(difference)
      parts[index / side / 4 * 8 + index % side / 4] += difference
    }
    return sum <= Self.mostContrast * thumbnail.count && parts.allSatisfy { abs($0) <= Self.mostPartContrast * 16 }
  }

  /// Whether the thumbnail is of one shade, but for what a compression leaves.
  fileprivate var isOfOneShade: Bool { (thumbnail.max() ?? 0) - (thumbnail.min() ?? 0) <= Self.mostContrast }

  /// Whether two pictures have one ratio of width and height, but for what rounding changes.
  public static func haveOneForm(_ one: (width: Int, height: Int), _ other: (width: Int, height: Int)) -> Bool {
    let ratio = Double(one.width) * Double(other.height) / (Double(one.height) * Double(other.width))
    return abs(ratio - 1) <= 0.02
  }
}

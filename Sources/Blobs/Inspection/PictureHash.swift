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
      && (1...1_000_000).contains(height)
  }

  /// The number of bits in which two difference hashes differ.
  public static func distance(_ one: UInt64, _ other: UInt64) -> Int { (one ^ other).nonzeroBitCount }

  /// How far two pictures are from each other: the bits of their difference hashes that differ.
  public func distance(to other: PictureHash) -> Int { Self.distance(difference, other.difference) }

  /// Whether both are the same picture in other bytes: near by both hashes, of one form, and alike in their thumbnails, on the
  /// whole and in every part.
  ///
  /// Hashes alone say it of screenshots and of pictures with one frame, too.
  public func isSame(as other: PictureHash) -> Bool {
    distance(to: other) <= Self.sameDistance
      && Self.distance(frequencies, other.frequencies) <= Self.mostFrequencies
      && Self.haveOneForm((width, height), (other.width, other.height)) && hasShades(of: other)
  }

  // Measured: docs/decisions/near-duplicates.md. Shades are of 256.
  private static let (mostFrequencies, mostContrast, mostPartContrast) = (10, 8, 16)

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

  /// Whether two pictures have one ratio of width and height, but for what rounding changes.
  public static func haveOneForm(_ one: (width: Int, height: Int), _ other: (width: Int, height: Int)) -> Bool {
    let ratio = Double(one.width) * Double(other.height) / (Double(one.height) * Double(other.width))
    return abs(ratio - 1) <= 0.02
  }
}

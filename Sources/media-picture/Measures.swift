/// The maximum size of a picture.
enum Measures {
  /// The maximum number of pixels.
  static let mostPixels = 100_000_000
  private static let longestSide = 30_000

  /// Refuses a picture that needs too much memory, before any is allocated.
  static func check(width: Int, height: Int) throws(Refusal) {
    guard width > 0, height > 0 else { throw Refusal("the picture is damaged: it has no area") }
    guard max(width, height) <= longestSide, width * height <= mostPixels else {
      throw Refusal("the picture is too large: \(width) × \(height) pixels")
    }
  }
}

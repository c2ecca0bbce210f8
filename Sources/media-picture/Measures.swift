/// How large a picture may be to be decoded at all.
enum Measures {
  private static let mostPixels = 100_000_000
  private static let longestSide = 30_000

  /// Refuses a picture that would ask for too much memory, before any is asked for.
  static func check(width: Int, height: Int) throws(Refusal) {
    guard width > 0, height > 0 else { throw Refusal("the picture is damaged: it has no area") }
    guard max(width, height) <= longestSide, width * height <= mostPixels else {
      throw Refusal("the picture is too large: \(width) × \(height) pixels")
    }
  }
}

/// The one custom emoji, `:blobcat:`.
enum Emoji {
  static let shortcode = "blobcat"
  private static let side = 64

  /// Drawn on black and on white: the difference gives the transparency.
  static func draw() -> Canvas {
    let (dark, bright) = (Canvas(width: side, height: side), Canvas(width: side, height: side, ground: .white))
    cat(on: dark)
    cat(on: bright)
    for index in 0..<(side * side) {
      let (low, high) = (dark.pixels[index], bright.pixels[index])
      let (green, brightGreen): (UInt32, UInt32) = (low >> 8 & 255, high >> 8 & 255)
      let alpha: UInt32 = 255 - (brightGreen - min(green, brightGreen))
      let colour = [0, 8, 16].reduce(UInt32(0)) { (sum: UInt32, shift: UInt32) in
        let part: UInt32 = (low >> shift & 255) * 255 / max(alpha, 1)
        return sum | min(part, 255) << shift
      }
      dark.pixels[index] = colour | alpha << 24
    }
    return dark
  }

  private static func cat(on canvas: Canvas) {
    let (coat, line) = (Colour(0xfcc21b), Colour(0x4a3416))
    for side in [Float(0), 1] {
      let ear = [Point(0.12, 0.42), Point(0.14, 0.1), Point(0.44, 0.26)].map { Point(abs(side - $0.x), $0.y) }
      canvas.fill(Path(ear), .colour(coat))
    }
    canvas.fill(
      .smooth([
        Point(0.08, 0.62), Point(0.2, 0.3), Point(0.5, 0.22), Point(0.8, 0.3), Point(0.92, 0.62), Point(0.82, 0.92),
        Point(0.5, 0.96), Point(0.18, 0.92),
      ]),
      .colour(coat)
    )
    for x in [Float(0.32), 0.68] {
      canvas.fill(.ellipse(Point(x, 0.52), Point(0.055, 0.075)), .colour(line))
      canvas.fill(.circle(Point(x - 0.015, 0.49), 0.02), .colour(.white))
    }
    canvas.fill(Path([Point(0.45, 0.61), Point(0.55, 0.61), Point(0.5, 0.67)]), .colour(Colour(0xe5798a)))
    canvas.fill(.stroke(Point(0.5, 0.74), Point(0.4, 0.69), 0.025), .colour(line))
    canvas.fill(.stroke(Point(0.5, 0.74), Point(0.6, 0.69), 0.025), .colour(line))
  }
}

import CPicture

/// Pixels to draw on, opaque, row by row. Not shared: one canvas belongs to one drawing.
///
/// What is done for each pixel is written in C, so that drawing stays quick without an optimiser too.
final class Canvas {
  let width: Int
  let height: Int
  let pixels: UnsafeMutablePointer<UInt32>

  init(width: Int, height: Int, ground: Colour = .black) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    picture_fill(pixels, ground.pixel, width * height)
  }

  deinit { pixels.deallocate() }

  /// Pixels in one unit of a path.
  var unit: Float { Float(height) }
  /// The picture's width in units of its height.
  var aspect: Float { Float(width) / Float(height) }

  /// Colours whole rows from `top` to `bottom`.
  func fill(_ gradient: Gradient, from top: Float = 0, to bottom: Float = 1) {
    let first = max(Int(top * unit), 0)
    let last = min(Int((bottom * unit).rounded(.up)), height)
    guard first < last else { return }
    for row in first..<last {
      let colour = gradient.at((Float(row) / unit - top) / (bottom - top))
      picture_fill(pixels + row * width, colour.pixel, width)
    }
  }

  /// Paints part of a row with the opacity `strength` of 256.
  func cover(_ row: Int, _ columns: Range<Int>, _ colour: UInt32, _ strength: Int) {
    let start = pixels + row * width
    if strength >= 255 {
      picture_fill(start + columns.lowerBound, colour, columns.count)
    } else if strength > 0 {
      picture_cover(start + columns.lowerBound, colour, UInt32(strength), columns.count)
    }
  }
}

import CPicture

/// Pixels to draw on, opaque, row by row. Not shared: one canvas belongs to one drawing.
///
/// Long runs of one colour are filled by the C library, so that drawing stays quick without an optimiser too.
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
      var column = columns.lowerBound
      while column < columns.upperBound {
        start[column] = Canvas.blend(start[column], colour, UInt32(strength))
        column += 1
      }
    }
  }

  /// `over` blended onto `under`, both channels of a pair in one multiplication.
  @inline(__always)
  static func blend(_ under: UInt32, _ over: UInt32, _ strength: UInt32) -> UInt32 {
    let rest = 256 &- strength
    let redBlue = ((under & 0xff00ff) &* rest &+ (over & 0xff00ff) &* strength) >> 8 & 0xff00ff
    let greenAlpha = (under >> 8 & 0xff00ff) &* rest &+ (over >> 8 & 0xff00ff) &* strength
    return redBlue | greenAlpha & 0xff00_ff00
  }
}

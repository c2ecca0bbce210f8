import CPicture
import Glibc

extension Canvas {
  /// Soft light around a point, strongest in the middle.
  func glow(_ centre: Point, _ radius: Float, _ colour: Colour, _ strength: Float) {
    let reach = Int(radius * unit)
    guard reach > 0 else { return }
    let (middleX, middleY) = (Int(centre.x * unit), Int(centre.y * unit))
    let square = reach * reach
    let full = Int(strength * 256)
    let pixel = colour.pixel
    for row in max(middleY - reach, 0)..<max(min(middleY + reach, height), 0) where row >= 0 {
      let down = (row - middleY) * (row - middleY)
      let half = Int(Float(square - down).squareRoot())
      let first = max(middleX - half, 0)
      let count = min(middleX + half, width) - first
      picture_glow(pixels + row * width + first, pixel, full, square, down, first - middleX, count)
    }
  }

  /// Water from `shore` to the lower edge that mirrors the scene above, broken by waves that widen towards the viewer.
  func reflect(below shore: Float, water: Gradient, strength: Float, dice: inout Dice) {
    let first = Int(shore * unit)
    let (phase, pitch) = (dice.between(0, 6), dice.between(0.8, 1.2))
    for row in first..<height {
      let depth = Float(row - first) / Float(max(height - first, 1))
      let source = max(first - 1 - Int(Float(row - first) * 0.92), 0)
      let wave = sin((Float(row - first) / unit * 900 * pitch) / (1 + depth * 9) + phase)
      let swing = Int(wave * (1 + depth * 0.012 * unit))
      let tint = water.at(depth).pixel
      let kept = UInt32(max(256 * (1 - strength * (1 - depth * 0.55)) + 18 * wave, 0))
      picture_mirror(pixels + row * width, pixels + source * width, tint, min(kept, 255), swing, width)
    }
  }
}

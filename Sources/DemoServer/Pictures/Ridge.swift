import Glibc

/// The outline of hills: a sum of waves of decreasing length and height.
struct Ridge {
  private var waves: [(pitch: Float, height: Float, phase: Float)] = []
  private let rugged: Float

  /// `height` is the most it rises or falls; `rugged` 0 is a down, 1 a range of peaks.
  init(height: Float, pitch: Float, rugged: Float, dice: inout Dice) {
    self.rugged = rugged
    var (part, frequency) = (height, pitch)
    for _ in 0..<(rugged > 0.3 ? 8 : 3) {
      waves.append((frequency * dice.between(0.8, 1.2), part, dice.between(0, 6.28)))
      part *= rugged > 0.3 ? 0.5 : 0.34
      frequency *= 2.07
    }
  }

  /// The height of the ridge above its middle at `x`; y grows downwards, so up is negative.
  func rise(at x: Float) -> Float {
    waves.reduce(0) { sum, wave in
      let swing = sin(x * wave.pitch + wave.phase)
      let peak = 1 - 2 * abs(swing)
      return sum - wave.height * (swing + (peak - swing) * rugged)
    }
  }

  /// Everything below the ridge, down to the lower edge.
  func path(at level: Float, width: Float, step: Float) -> Path {
    var points = [Point(0, 1.01)]
    var x: Float = 0
    while x <= width + step {
      points.append(Point(x, level + rise(at: x)))
      x += step
    }
    points.append(Point(x, 1.01))
    return Path(points)
  }
}

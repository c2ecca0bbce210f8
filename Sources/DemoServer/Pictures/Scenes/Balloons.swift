import Glibc

extension Painter {
  private static let cloths: [[UInt32]] = [
    [0xe4572e, 0xf3a712, 0xf7f3e3], [0x2e86ab, 0xf6f5ae, 0xf5a65b], [0x6a4c93, 0xf2c14e, 0xf78154],
    [0x1b998b, 0xfffd82, 0xff9b71], [0xd7263d, 0xf46036, 0xffe8d6], [0x3d5a80, 0x98c1d9, 0xee6c4d],
  ]

  /// Hot air balloons over hills.
  mutating func balloons() {
    sky(horizon: 0.72)
    for (far, level) in [(0.85, 0.74), (0.6, 0.82), (0.3, 0.91)] as [(Float, Float)] {
      let ridge = Ridge(height: 0.05, pitch: dice.between(1.2, 2.6), rugged: 0.25, dice: &dice)
      let colour = distant(far).mixed(light.leaf, 0.2)
      canvas.fill(
        ridge.path(at: level, width: aspect, step: 0.008),
        .down([colour, colour.mixed(light.haze, 0.4)], from: level - 0.06, to: level + 0.2)
      )
    }
    let count = 3 + dice.below(4)
    for number in 0..<count {
      let position = Point(
        across((Float(number) + dice.between(0.25, 0.75)) / Float(count)),
        dice.between(0.16, 0.52)
      )
      balloon(at: position, size: dice.between(0.05, 0.15))
    }
  }

  /// One balloon in upright gores; `position` is the middle of its envelope.
  private mutating func balloon(at position: Point, size: Float) {
    let cloth = dice.pick(Painter.cloths).map { light.near.mixed(Colour($0), light.isNight ? 0.5 : 0.92) }
    let gores = 8
    for gore in 0..<gores {
      let (left, right) = (Float(gore) / Float(gores) * 2 - 1, Float(gore + 1) / Float(gores) * 2 - 1)
      let (from, to) = (sin(left * .pi / 2), sin(right * .pi / 2))
      let strip = side(from) + side(to).reversed()
      canvas.fill(Path(strip).placed(at: position, scale: size), .colour(cloth[gore % cloth.count]))
    }
    let shade = side(0.35) + side(1).reversed()
    canvas.fill(Path(shade).placed(at: position, scale: size), .colour(light.near, 0.18))
    let shine = side(-0.75) + side(-0.35).reversed()
    canvas.fill(Path(shine).placed(at: position, scale: size), .colour(.white, 0.13))
    for rope in [-0.16, 0.16] as [Float] {
      let line = Path.stroke(Point(rope, 1.2), Point(rope * 0.75, 1.52), 0.018)
      canvas.fill(line.placed(at: position, scale: size), .colour(light.near, 0.8))
    }
    canvas.fill(
      Path.rectangle(x: -0.15, y: 1.5, width: 0.3, height: 0.22).placed(at: position, scale: size),
      .colour(light.near.mixed(Colour(0xa9713f), 0.6))
    )
  }

  /// A seam of the envelope from crown to mouth; `turn` -1 is its left outline, 1 its right.
  private func side(_ turn: Float) -> [Point] {
    (0...24).map { step in
      let part = Float(step) / 24
      let girth = part < 0.46 ? sin(part / 0.46 * .pi / 2) : 1 - 0.82 * pow((part - 0.46) / 0.54, 1.7)
      return Point(turn * girth, -1 + 2.2 * part)
    }
  }
}

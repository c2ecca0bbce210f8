extension Painter {
  /// Small birds on wires, one of them always apart.
  mutating func birds() {
    sky(
      horizon: 1,
      disc: Point(across(dice.between(0.2, 0.8)), dice.between(0.45, 0.75)),
      size: dice.between(0.1, 0.18)
    )
    flock(around: Point(across(dice.between(0.3, 0.7)), 0.2), count: 4 + dice.below(12), size: 0.015)
    let ridge = Ridge(height: 0.04, pitch: 2.2, rugged: 0.3, dice: &dice)
    canvas.fill(
      ridge.path(at: 0.88, width: aspect, step: 0.008),
      .down([distant(0.55), distant(0.2)], from: 0.84, to: 1)
    )
    light.near = light.near.mixed(.black, 0.45)
    for _ in 0..<(2 + dice.below(2)) { wire() }
  }

  private mutating func wire() {
    let (left, right) = (dice.between(0.25, 0.7), dice.between(0.25, 0.7))
    let sag = dice.between(0.03, 0.1)
    let aspect = self.aspect
    let level = { (x: Float) -> Float in
      let part = x / aspect
      return left + (right - left) * part + sag * 4 * part * (1 - part)
    }
    var x: Float = 0
    while x < aspect {
      let next = min(x + 0.05, aspect)
      canvas.fill(.stroke(Point(x, level(x)), Point(next, level(next)), 0.0045), .colour(light.near))
      x = next
    }
    var position = across(dice.between(0.02, 0.25))
    for _ in 0..<(2 + dice.below(6)) where position < across(0.97) {
      perched(at: Point(position, level(position)), size: dice.between(0.045, 0.065), mirrored: dice.chance(50))
      position += dice.chance(25) ? dice.between(0.2, 0.4) : dice.between(0.07, 0.11)
    }
  }

  private static let breasts: [UInt32] = [0xd1603d, 0xe0a458, 0x5b8e7d, 0x7a89c2, 0xc98bb9]

  /// A round little bird, feet at the origin.
  private mutating func perched(at feet: Point, size: Float, mirrored: Bool) {
    let dark = light.near
    func draw(_ path: Path, _ paint: Paint) {
      canvas.fill(path.placed(at: feet, scale: size, mirrored: mirrored), paint)
    }
    draw(Path([Point(-0.3, -0.35), Point(-1.15, 0.28), Point(-1, 0.36), Point(-0.12, -0.1)]), .colour(dark))
    draw(.ellipse(Point(0, -0.48), Point(0.5, 0.42), turned: -0.5), .colour(dark))
    draw(.circle(Point(0.3, -0.95), 0.29), .colour(dark))
    draw(
      Path([Point(0.55, -1.02), Point(0.86, -0.92), Point(0.55, -0.86)]),
      .colour(dark.mixed(Colour(0xf0b04f), 0.7))
    )
    let breast = dark.mixed(Colour(dice.pick(Painter.breasts)), light.isNight ? 0.4 : 0.8)
    draw(.ellipse(Point(0.22, -0.5), Point(0.26, 0.34), turned: -0.35), .colour(breast))
    draw(.circle(Point(0.38, -1), 0.05), .colour(.white))
    draw(
      .stroke(Point(0, -0.1), Point(0, 0.06), 0.05) + .stroke(Point(0.16, -0.12), Point(0.16, 0.06), 0.05),
      .colour(dark)
    )
  }
}

import Glibc

extension Painter {
  private static let petals: [UInt32] = [
    0xe63946, 0xf4a261, 0xffd166, 0xef76a0, 0x9d7fd1, 0xffffff, 0xf25f5c, 0x7fb7e6,
  ]

  /// A flowering meadow before low hills, the nearest stems tall.
  mutating func flowers() {
    sky(horizon: 0.5, size: 0.07)
    let hill = Ridge(height: 0.05, pitch: 1.8, rugged: 0.15, dice: &dice)
    canvas.fill(
      hill.path(at: 0.46, width: aspect, step: 0.01),
      .down([distant(0.85), distant(0.7)], from: 0.4, to: 0.6)
    )
    let field = light.near.mixed(light.leaf, 0.6)
    canvas.fill(
      .rectangle(x: 0, y: 0.53, width: aspect, height: 0.5),
      .down([field.mixed(light.haze, 0.45), field, light.near], from: 0.53, to: 1)
    )
    let colours = (0..<3).map { _ in dice.pick(Painter.petals) }
    for row in 0..<9 {
      let depth = Float(row) / 8
      let size = 0.008 + 0.05 * depth * depth
      let level = 0.56 + 0.44 * depth
      for _ in 0..<Int(aspect / (size * 3.4)) {
        let foot = Point(across(dice.unit()), level + dice.between(0, 0.04))
        flower(at: foot, size: size * dice.between(0.75, 1.2), petals: Colour(dice.pick(colours)), depth: depth)
      }
    }
  }

  private mutating func flower(at foot: Point, size: Float, petals: Colour, depth: Float) {
    let head = foot + Point(dice.between(-1, 1) * size, -size * dice.between(2.2, 4.4))
    let green = light.leaf.mixed(light.near, 0.25 + dice.between(0, 0.3))
    canvas.fill(.stroke(foot, head, max(size * 0.12, 0.0016)), .colour(green))
    let leaf = Path.ellipse(.zero, Point(size * 0.75, size * 0.2), turned: dice.between(-0.9, 0.9))
    canvas.fill(leaf.placed(at: (foot + head) / 2 + Point(size * 0.5, 0)), .colour(green))
    let colour = light.near.mixed(petals, light.isNight ? 0.4 : 0.9)
    guard depth > 0.25 else { return canvas.fill(.circle(head, size * 0.7), .colour(colour)) }
    let turned = dice.between(0, 1)
    for petal in 0..<6 {
      let angle = (Float(petal) / 6 + turned) * 2 * .pi
      let middle = head + Point(cos(angle), sin(angle)) * size * 0.58
      let shape = Path.ellipse(middle, Point(size * 0.55, size * 0.34), turned: angle)
      canvas.fill(shape, .colour(colour.mixed(light.near, petal.isMultiple(of: 2) ? 0 : 0.12)))
    }
    canvas.fill(.circle(head, size * 0.32), .colour(light.near.mixed(Colour(0xf6c445), light.isNight ? 0.5 : 0.95)))
  }
}

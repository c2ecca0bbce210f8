extension Painter {
  /// Range behind range, each paler than the one before it.
  mutating func hills() {
    sky(horizon: 0.62)
    if !light.isNight { flock(around: Point(across(0.5), 0.25), count: dice.below(8), size: 0.014) }
    let ranges = 4 + dice.below(3)
    let rugged = dice.between(0.35, 0.95)
    for range in 0..<ranges {
      let depth = Float(range) / Float(ranges - 1)
      let far = 1 - depth
      let ridge = Ridge(
        height: 0.06 + 0.05 * far,
        pitch: dice.between(1.2, 2.4) + far,
        rugged: rugged * (0.35 + 0.65 * far),
        dice: &dice
      )
      let level = 0.46 + 0.42 * depth
      let colour = distant(far * 0.92)
      let foot = colour.mixed(light.haze, 0.55)
      canvas.fill(
        ridge.path(at: level, width: aspect, step: 0.006),
        .down([colour, foot], from: level - 0.1, to: level + 0.3)
      )
      if range == ranges - 2 { conifers(along: ridge, level: level, size: 0.05, colour: distant(far * 0.7)) }
    }
    meadow(from: 0.9)
  }

  /// A strip of grass at our feet.
  mutating func meadow(from level: Float) {
    let ridge = Ridge(height: 0.03, pitch: 1.6, rugged: 0, dice: &dice)
    let ground = light.near.mixed(light.leaf, 0.45)
    canvas.fill(
      ridge.path(at: level, width: aspect, step: 0.01),
      .down([ground, light.near], from: level - 0.03, to: 1)
    )
    for _ in 0..<Int(90 * aspect) {
      let x = across(dice.unit())
      let root = Point(x, level + ridge.rise(at: x) + dice.between(0, 0.06))
      let tip = root + Point(dice.between(-0.012, 0.012), -dice.between(0.015, 0.045))
      canvas.fill(Path([root, tip, root + Point(0.004, 0)]), .colour(ground.mixed(light.leaf, dice.between(0, 0.6))))
    }
  }

  /// Trees standing on a ridge, thick here and thin there.
  mutating func conifers(along ridge: Ridge, level: Float, size: Float, colour: Colour) {
    var x = dice.between(-size, 0)
    var forest = Path()
    while x < aspect {
      let height = size * dice.between(0.6, 1.5)
      forest = forest + conifer(height).placed(at: Point(x, level + ridge.rise(at: x) + size * 0.15))
      x += size * (dice.chance(20) ? dice.between(0.6, 2.6) : dice.between(0.2, 0.5))
    }
    canvas.fill(forest, .colour(colour))
  }

  /// One tree with its foot at the origin.
  mutating func conifer(_ height: Float) -> Path {
    let tiers = 5
    var (left, right): ([Point], [Point]) = ([], [])
    for tier in 0..<tiers {
      let top = -height * (1 - Float(tier) / Float(tiers))
      let reach = height * 0.26 * Float(tier + 1) / Float(tiers) * dice.between(0.85, 1.15)
      let base = top + height / Float(tiers) * 1.15
      right += [Point(reach * 0.35, top), Point(reach, base)]
      left += [Point(-reach * 0.35, top), Point(-reach, base)]
    }
    return Path([Point(0, -height * 1.08)] + right + left.reversed())
  }
}

extension Painter {
  /// Firs in rows with mist between them.
  mutating func forest() {
    sky(horizon: 0.8, disc: Point(across(dice.between(0.3, 0.7)), dice.between(0.18, 0.4)), size: 0.07)
    flock(around: Point(across(0.45), 0.2), count: dice.below(7), size: 0.012)
    let rows = 5
    for row in 0..<rows {
      let depth = Float(row) / Float(rows - 1)
      let level = 0.5 + 0.42 * depth
      let ridge = Ridge(height: 0.05, pitch: dice.between(1, 2.2), rugged: 0.1, dice: &dice)
      let colour = distant((1 - depth) * 0.85).mixed(light.leaf, 0.28)
      conifers(along: ridge, level: level, size: 0.09 + 0.15 * depth, colour: colour)
      canvas.fill(
        ridge.path(at: level, width: aspect, step: 0.01),
        .down([colour, colour.mixed(light.haze, 0.75 - 0.6 * depth)], from: level - 0.04, to: level + 0.16)
      )
    }
    if dice.chance(40) { cabin(at: Point(across(dice.between(0.25, 0.75)), 0.93)) }
  }

  /// A hut with a lit window.
  private mutating func cabin(at foot: Point) {
    let wall = light.near.mixed(Colour(0x8a5a3c), light.isNight ? 0.2 : 0.5)
    canvas.fill(Path.rectangle(x: -0.08, y: -0.09, width: 0.16, height: 0.09).placed(at: foot), .colour(wall))
    let roof = [Point(-0.105, -0.085), Point(0, -0.165), Point(0.105, -0.085)]
    canvas.fill(Path(roof).placed(at: foot), .colour(light.near))
    canvas.fill(Path.rectangle(x: 0.035, y: -0.17, width: 0.02, height: 0.06).placed(at: foot), .colour(light.near))
    canvas.glow(foot + Point(-0.03, -0.05), 0.09, Colour(0xffcf7a), 0.6)
    canvas.fill(
      Path.rectangle(x: -0.05, y: -0.066, width: 0.04, height: 0.034).placed(at: foot),
      .colour(Colour(0xffdf9a))
    )
    canvas.fill(Path.rectangle(x: 0.02, y: -0.065, width: 0.032, height: 0.065).placed(at: foot), .colour(light.near))
  }
}

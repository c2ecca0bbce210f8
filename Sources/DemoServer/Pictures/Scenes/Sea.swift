extension Painter {
  /// Open water with a boat, and mountains or an island behind it.
  mutating func sea() {
    let shore = dice.between(0.52, 0.62)
    sky(horizon: shore, disc: Point(across(dice.between(0.25, 0.75)), shore - dice.between(0.06, 0.3)), size: 0.06)
    let ridge = Ridge(height: 0.035, pitch: dice.between(1, 3), rugged: 0.6, dice: &dice)
    canvas.fill(
      ridge.path(at: shore - 0.02, width: aspect, step: 0.006),
      .down([distant(0.75), distant(0.9)], from: 0.4, to: shore)
    )
    flock(around: Point(across(dice.between(0.3, 0.7)), 0.24), count: 3 + dice.below(6), size: 0.016)
    reflect(from: shore)
    boat(at: Point(across(dice.between(0.2, 0.8)), shore + dice.between(0.07, 0.2)), size: dice.between(0.14, 0.24))
    if dice.chance(60) {
      boat(at: Point(across(dice.between(0.05, 0.95)), shore + 0.02), size: 0.05)
    }
  }

  /// Water to the lower edge, in the colours of the sky.
  mutating func reflect(from shore: Float) {
    let deep = light.near.mixed(light.sky[0], 0.6)
    canvas.reflect(
      below: shore,
      water: Gradient(stops: [light.sky[2].mixed(deep, 0.3), deep]),
      strength: 0.72,
      dice: &dice
    )
  }

  /// A boat under two sails with its water line at `position`.
  mutating func boat(at position: Point, size: Float) {
    let mirrored = dice.chance(50)
    let sail = light.isNight ? light.haze.mixed(.white, 0.45) : light.disc.mixed(.white, 0.4)
    func draw(_ points: [Point], _ paint: Paint) {
      canvas.fill(Path(points).placed(at: position, scale: size, mirrored: mirrored), paint)
    }
    let shade = Path.ellipse(Point(0, 0.06), Point(0.55, 0.05)).placed(at: position, scale: size)
    canvas.fill(shade, .colour(light.near, 0.35))
    draw([Point(0.02, -1), Point(0.42, -0.2), Point(0.02, -0.17)], .colour(sail))
    draw([Point(-0.03, -0.93), Point(-0.33, -0.2), Point(-0.03, -0.17)], .colour(sail.mixed(light.haze, 0.35)))
    draw([Point(-0.015, -1.03), Point(0.015, -1.03), Point(0.015, -0.1), Point(-0.015, -0.1)], .colour(light.near))
    draw(
      [Point(-0.46, -0.14), Point(0.52, -0.14), Point(0.36, 0.06), Point(-0.34, 0.06)],
      .colour(light.near.mixed(Colour(0xb0413e), light.isNight ? 0.15 : 0.55))
    )
    draw([Point(-0.46, -0.14), Point(0.52, -0.14), Point(0.5, -0.11), Point(-0.44, -0.11)], .colour(sail, 0.8))
  }
}

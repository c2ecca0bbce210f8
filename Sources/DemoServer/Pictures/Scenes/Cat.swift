import Glibc

extension Painter {
  /// A cat on a wall, seen from behind, under a large moon or sun.
  mutating func cat() {
    let seat = Point(across(dice.between(0.32, 0.68)), 0.745)
    let disc = Point(seat.x + dice.between(-0.16, 0.16), dice.between(0.34, 0.44))
    sky(horizon: 0.85, disc: disc, size: dice.between(0.17, 0.25))
    let ridge = Ridge(height: 0.05, pitch: 2, rugged: 0.1, dice: &dice)
    canvas.fill(
      ridge.path(at: 0.68, width: aspect, step: 0.01),
      .down([distant(0.8), distant(0.55)], from: 0.6, to: 0.85)
    )
    roofs()
    wall(from: seat.y)
    let mirrored = dice.chance(50)
    sittingCat(at: seat, size: dice.between(0.26, 0.33), mirrored: mirrored)
    if dice.chance(35) {
      sittingCat(at: seat + Point(mirrored ? 0.27 : -0.27, 0), size: 0.2, mirrored: !mirrored)
    }
  }

  private mutating func roofs() {
    var x = dice.between(-0.1, 0)
    while x < aspect {
      let (width, top) = (dice.between(0.14, 0.3), dice.between(0.6, 0.7))
      let house = Path([
        Point(x, 1), Point(x, top), Point(x + width / 2, top - width * 0.3), Point(x + width, top), Point(x + width, 1),
      ])
      canvas.fill(house, .colour(distant(0.5)))
      if dice.chance(55) {
        canvas.fill(
          .rectangle(x: x + width * 0.42, y: top + 0.01, width: 0.025, height: 0.034),
          .colour(Colour(0xffd98a), 0.85)
        )
      }
      x += width
    }
  }

  private mutating func wall(from top: Float) {
    let stone = light.near.mixed(light.haze, 0.16)
    canvas.fill(.rectangle(x: 0, y: top, width: aspect, height: 1 - top), .down([stone, light.near], from: top, to: 1))
    var (y, row) = (top + 0.03, 0)
    while y < 1 {
      var x: Float = row.isMultiple(of: 2) ? -0.05 : 0
      while x < aspect {
        let brick = Path.rectangle(x: x, y: y, width: 0.092, height: 0.042)
        canvas.fill(brick, .colour(stone.mixed(light.haze, dice.between(0, 0.2)), 0.6))
        x += 0.1
      }
      (y, row) = (y + 0.05, row + 1)
    }
    canvas.fill(.rectangle(x: 0, y: top - 0.008, width: aspect, height: 0.03), .colour(stone.mixed(light.haze, 0.12)))
  }

  /// The silhouette, its seat at the origin and about one unit tall.
  private mutating func sittingCat(at seat: Point, size: Float, mirrored: Bool) {
    let body = Path.smooth([
      Point(-0.26, 0.02), Point(-0.31, -0.16), Point(-0.25, -0.36), Point(-0.16, -0.54), Point(-0.1, -0.62),
      Point(0.1, -0.62), Point(0.16, -0.54), Point(0.25, -0.36), Point(0.31, -0.16), Point(0.26, 0.02),
    ])
    let head = Path.ellipse(Point(0, -0.72), Point(0.185, 0.155))
    let ears =
      Path([Point(-0.175, -0.75), Point(-0.17, -0.98), Point(-0.03, -0.85)])
      + Path([Point(0.03, -0.85), Point(0.17, -0.98), Point(0.175, -0.75)])
    var upper: [Point] = []
    var lower: [Point] = []
    for step in 0...14 {
      let part = Float(step) / 14
      let middle = Point(0.2 + 0.36 * part - 0.22 * part * part * part, -0.03 + 0.62 * part * part)
      let curl = Point(0.05 * sin(part * 5), 0)
      let half = 0.052 * (1 - 0.45 * part)
      upper.append(middle + curl + Point(half, -half))
      lower.append(middle + curl - Point(half, -half))
    }
    let coat = Paint.colour(light.near.mixed(.black, 0.35))
    for part in [body, head, ears, Path(upper + lower.reversed())] {
      canvas.fill(part.placed(at: seat, scale: size, mirrored: mirrored), coat)
    }
  }
}

extension Painter {
  /// A night sky with a band of stars or northern lights, and someone's tent below it.
  mutating func nightSky() {
    canvas.fill(Gradient(stops: light.sky), to: 0.92)
    if dice.chance(55) { aurora() } else { galaxy() }
    stars(to: 0.85)
    stars(to: 0.7)
    for _ in 0..<6 {
      let position = Point(across(dice.unit()), dice.between(0.03, 0.5))
      canvas.glow(position, 0.016, .white, 0.8)
    }
    let ridge = Ridge(height: 0.05, pitch: 2.4, rugged: 0.8, dice: &dice)
    canvas.fill(
      ridge.path(at: 0.76, width: aspect, step: 0.005),
      .down([distant(0.35), distant(0.1)], from: 0.7, to: 1)
    )
    let ground = Ridge(height: 0.025, pitch: 1.4, rugged: 0, dice: &dice)
    conifers(along: ground, level: 0.9, size: 0.08, colour: light.near)
    canvas.fill(ground.path(at: 0.9, width: aspect, step: 0.01), .colour(light.near))
    tent(at: Point(across(dice.between(0.2, 0.8)), 0.94))
  }

  private mutating func aurora() {
    let colours = dice.chance(60) ? [0x2de2a0, 0x6fffb0] : [0x8be04e, 0xc06cf0] as [UInt32]
    let ridge = Ridge(height: 0.06, pitch: dice.between(1.2, 2.2), rugged: 0, dice: &dice)
    for veil in 0..<2 {
      var x: Float = -0.02
      while x < aspect {
        let foot = 0.5 - 0.13 * Float(veil) + ridge.rise(at: x * (1 + Float(veil)))
        let tall = dice.between(0.16, 0.42)
        let ray = Path.rectangle(x: x, y: foot - tall, width: 0.035, height: tall)
        let colour = Colour(colours[veil])
        canvas.fill(ray, .veil(colour, from: foot - tall, to: foot, 0, 0.3))
        let hem = Path.rectangle(x: x, y: foot, width: 0.035, height: 0.09)
        canvas.fill(hem, .veil(colour, from: foot, to: foot + 0.09, 0.3, 0))
        x += 0.014
      }
    }
  }

  private mutating func galaxy() {
    let (from, to) = (Point(across(dice.between(0, 0.4)), -0.05), Point(across(dice.between(0.6, 1)), 0.85))
    for _ in 0..<70 {
      let position = from + (to - from) * dice.unit() + Point(dice.between(-0.07, 0.07), dice.between(-0.05, 0.05))
      canvas.glow(position, dice.between(0.04, 0.16), light.haze.mixed(Colour(0xe6c7ff), dice.unit()), 0.2)
    }
    for _ in 0..<Int(260 * aspect) {
      let wide = dice.between(-0.1, 0.1) * dice.unit()
      let position = from + (to - from) * dice.unit() + Point(wide, -wide * 0.6)
      canvas.fill(.circle(position, dice.between(0.0006, 0.0016)), .colour(.white, dice.between(0.3, 0.9)))
    }
  }

  private func tent(at foot: Point) {
    canvas.glow(foot + Point(0, -0.04), 0.15, Colour(0xffb45e), 0.55)
    let front = [Point(-0.075, 0), Point(0, -0.095), Point(0.075, 0)]
    canvas.fill(
      Path(front).placed(at: foot),
      .down([Colour(0xffd08a), Colour(0xe8743b)], from: foot.y - 0.09, to: foot.y)
    )
    let back = [Point(0, -0.095), Point(0.06, -0.088), Point(0.14, 0), Point(0.075, 0)]
    canvas.fill(Path(back).placed(at: foot), .colour(Colour(0x8c3f2a)))
    canvas.fill(Path([Point(-0.012, 0), Point(0, -0.07), Point(0.012, 0)]).placed(at: foot), .colour(light.near))
  }
}

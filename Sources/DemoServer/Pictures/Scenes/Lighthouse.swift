extension Painter {
  /// A striped lighthouse on a rock, lit when the day is gone.
  mutating func lighthouse() {
    let shore: Float = 0.66
    let foot = Point(across(dice.between(0.3, 0.7)), 0.57)
    sky(horizon: shore, disc: Point(foot.x > across(0.5) ? across(0.2) : across(0.8), dice.between(0.15, 0.5)))
    let coast = Ridge(height: 0.02, pitch: 2, rugged: 0.7, dice: &dice)
    canvas.fill(coast.path(at: shore - 0.015, width: aspect, step: 0.008), .colour(distant(0.8)))
    let lit = light.isNight || light.hour == .dusk || light.hour == .dawn
    if lit { beam(from: foot + Point(0, -0.415)) }
    rock(under: foot)
    tower(at: foot, lit: lit)
    reflect(from: shore)
    flock(around: foot + Point(0.1, -0.35), count: 4 + dice.below(4), size: 0.013)
  }

  private mutating func rock(under foot: Point) {
    var points: [Point] = []
    for step in 0...18 {
      let part = Float(step) / 18 * 2 - 1
      let top = (part * part * part * part) * 0.16 - 0.02
      points.append(foot + Point(part * 0.42, top + dice.between(-0.012, 0.012)))
    }
    points += [foot + Point(0.46, 0.2), foot + Point(-0.46, 0.2)]
    canvas.fill(Path(points), .down([distant(0.25), light.near], from: foot.y - 0.05, to: foot.y + 0.16))
  }

  private func beam(from lamp: Point) {
    for (width, opacity) in [(0.16, 0.14), (0.1, 0.16), (0.05, 0.2)] as [(Float, Float)] {
      let far = Point(-aspect, -0.28)
      let cone = [lamp, lamp + far + Point(0, width), lamp + far - Point(0, width)]
      canvas.fill(Path(cone), .colour(light.disc, opacity))
    }
    canvas.glow(lamp, 0.22, light.disc, 0.7)
  }

  private func tower(at foot: Point, lit: Bool) {
    let white = light.haze.mixed(.white, light.isNight ? 0.3 : 0.75)
    let red = light.near.mixed(Colour(0xc8372d), light.isNight ? 0.45 : 0.85)
    let bands = 6
    for band in 0..<bands {
      let (low, high) = (Float(band) / Float(bands), Float(band + 1) / Float(bands))
      let half = { (part: Float) -> Float in 0.055 - 0.02 * part }
      let corners = [
        Point(-half(low), -0.37 * low), Point(half(low), -0.37 * low), Point(half(high), -0.37 * high),
        Point(-half(high), -0.37 * high),
      ]
      canvas.fill(Path(corners).placed(at: foot), .colour(band.isMultiple(of: 2) ? white : red))
      let shade = [corners[1], corners[2], corners[2] - Point(0.018, 0), corners[1] - Point(0.024, 0)]
      canvas.fill(Path(shade).placed(at: foot), .colour(light.near, 0.28))
    }
    canvas.fill(Path.rectangle(x: -0.046, y: -0.385, width: 0.092, height: 0.016).placed(at: foot), .colour(light.near))
    let lamp = lit ? Colour(0xffe9a0) : light.haze.mixed(light.sky[0], 0.5)
    canvas.fill(Path.rectangle(x: -0.026, y: -0.44, width: 0.052, height: 0.056).placed(at: foot), .colour(lamp))
    canvas.fill(Path.rectangle(x: -0.003, y: -0.44, width: 0.006, height: 0.056).placed(at: foot), .colour(light.near))
    let roof = [Point(-0.036, -0.438), Point(0, -0.49), Point(0.036, -0.438)]
    canvas.fill(Path(roof).placed(at: foot), .colour(red))
    canvas.fill(Path.rectangle(x: -0.012, y: -0.045, width: 0.024, height: 0.047).placed(at: foot), .colour(light.near))
  }
}

/// The state of one drawing: the canvas, the light, and the random numbers that make it unique.
///
/// Everything is placed in units of the picture's height, so a preview is the same picture drawn small.
struct Painter {
  let canvas: Canvas
  var light: Light
  var dice: Dice

  var aspect: Float { canvas.aspect }

  /// An x coordinate; 0 is the left edge and 1 the right.
  func across(_ part: Float) -> Float { part * aspect }

  /// The colour of things at a distance: 0 at the viewer, 1 on the horizon.
  func distant(_ distance: Float) -> Colour { light.near.mixed(light.haze, distance) }

  /// Sky down to `horizon` with what shines in it, and clouds by day.
  mutating func sky(horizon: Float, disc: Point? = nil, size: Float = 0.055, clouds: Bool = true) {
    canvas.fill(Gradient(stops: light.sky), to: horizon)
    canvas.fill(Gradient(stops: [light.sky[3], light.haze]), from: horizon)
    if light.isNight { stars(to: horizon) }
    let position = disc ?? Point(across(dice.between(0.18, 0.82)), horizon * dice.between(0.3, 0.8))
    canvas.glow(position, light.isNight ? 0.42 : 0.65, light.disc, light.isNight ? 0.4 : 0.55)
    canvas.fill(.circle(position, size), .colour(light.disc))
    if light.isNight { craters(position, size) }
    if clouds && !light.isNight { self.clouds(to: horizon * 0.75) }
  }

  /// Small points of light, more of them high up.
  mutating func stars(to horizon: Float) {
    for _ in 0..<Int(130 * aspect) {
      let height = dice.unit()
      let position = Point(across(dice.unit()), height * height * horizon * 0.95)
      let size = dice.between(0.0007, 0.0022)
      canvas.fill(.circle(position, size), .colour(.white, dice.between(0.35, 1)))
    }
  }

  private mutating func craters(_ moon: Point, _ size: Float) {
    for _ in 0..<5 {
      let away = Point(dice.between(-0.5, 0.5), dice.between(-0.5, 0.5)) * size
      canvas.fill(.circle(moon + away, size * dice.between(0.08, 0.22)), .colour(light.haze, 0.22))
    }
  }

  /// Flat-bottomed clouds of a few soft lobes.
  mutating func clouds(to low: Float) {
    for _ in 0..<(2 + dice.below(5)) {
      let (x, y) = (across(dice.between(-0.1, 1)), dice.between(0.05, low))
      let length = dice.between(0.12, 0.4)
      let colour = light.sky[3].mixed(.white, 0.5)
      let opacity = dice.between(0.22, 0.6)
      var cloud = Path.ellipse(Point(x, y), Point(length * 0.62, length * 0.045))
      for _ in 0..<4 {
        let lobe = Point(x + dice.between(-0.4, 0.4) * length, y - length * dice.between(0.01, 0.06))
        cloud = cloud + .ellipse(lobe, Point(length * dice.between(0.14, 0.26), length * dice.between(0.05, 0.1)))
      }
      canvas.fill(cloud, .down([colour, light.sky[2]], from: y - length * 0.16, to: y + length * 0.08, opacity))
    }
  }

  /// Distant birds, each two strokes of a wing.
  mutating func flock(around middle: Point, count: Int, size: Float) {
    for _ in 0..<count {
      let spread = Point(dice.between(-0.28, 0.28), dice.between(-0.12, 0.12))
      let wing = size * dice.between(0.6, 1.2)
      canvas.fill(bird(wingspan: wing, lift: dice.between(0.2, 0.5)).placed(at: middle + spread), .colour(light.near))
    }
  }

  private func bird(wingspan: Float, lift: Float) -> Path {
    let (reach, rise) = (wingspan, wingspan * lift)
    return Path([
      Point(-reach, -rise * 0.7), Point(-reach * 0.45, -rise), Point(0, 0), Point(reach * 0.45, -rise),
      Point(reach, -rise * 0.7), Point(reach * 0.5, -rise * 0.72), Point(0, rise * 0.35),
      Point(-reach * 0.5, -rise * 0.72),
    ])
  }
}

extension Painter {
  /// A skyline in three rows over a river, windows lit when it is dark enough.
  mutating func city() {
    let shore = dice.between(0.72, 0.8)
    sky(horizon: shore)
    if light.hour == .day || light.hour == .morning { light.near = light.near.mixed(Colour(0x3f4a66), 0.7) }
    for row in 0..<3 {
      let far = 0.72 - 0.34 * Float(row)
      skyline(ground: shore, tallest: 0.56 - 0.13 * Float(row), colour: distant(far), lights: row > 0)
    }
    canvas.fill(.rectangle(x: 0, y: shore - 0.012, width: aspect, height: 0.014), .colour(light.near))
    reflect(from: shore)
    lamps(along: shore)
  }

  private mutating func skyline(ground: Float, tallest: Float, colour: Colour, lights: Bool) {
    var x = dice.between(-0.1, 0)
    let middle = across(dice.between(0.3, 0.7))
    while x < aspect {
      let width = dice.between(0.06, 0.14)
      let nearness = 1 - min(abs(x + width / 2 - middle) / aspect, 0.75)
      let height = tallest * nearness * dice.between(0.5, 1)
      let top = ground - height
      canvas.fill(
        .rectangle(x: x, y: top, width: width, height: height),
        .down([colour, colour.mixed(light.haze, 0.25)], from: top, to: ground)
      )
      crown(x, top, width, colour)
      if lights { windows(x, top, width, height) }
      x += width + (dice.chance(30) ? dice.between(0.005, 0.04) : 0)
    }
  }

  /// What stands on a roof: a mast, a gable, a step, or nothing.
  private mutating func crown(_ x: Float, _ top: Float, _ width: Float, _ colour: Colour) {
    let middle = x + width / 2
    switch dice.below(5) {
    case 0:
      canvas.fill(.rectangle(x: middle - 0.002, y: top - 0.07, width: 0.004, height: 0.07), .colour(colour))
    case 1:
      canvas.fill(
        Path([Point(x, top), Point(middle, top - width * 0.5), Point(x + width, top)]),
        .colour(colour)
      )
    case 2:
      canvas.fill(.rectangle(x: x + width * 0.2, y: top - 0.03, width: width * 0.6, height: 0.032), .colour(colour))
    case 3:
      canvas.fill(.ellipse(Point(middle, top), Point(width * 0.38, width * 0.3)), .colour(colour))
    default: break
    }
  }

  private mutating func windows(_ x: Float, _ top: Float, _ width: Float, _ height: Float) {
    let dark = light.isNight || light.hour == .dusk || light.hour == .dawn
    let columns = max(Int(width / 0.022), 2)
    let pitch = width / Float(columns)
    for column in 0..<columns {
      var y = top + 0.02
      while y < top + height - 0.03 {
        let lit = dice.chance(dark ? 46 : 16)
        let glass = lit ? Colour(dice.chance(75) ? 0xffd98a : 0xfff4d6) : light.haze
        let pane = Path.rectangle(
          x: x + (Float(column) + 0.27) * pitch,
          y: y,
          width: pitch * 0.46,
          height: 0.0125
        )
        canvas.fill(pane, .colour(glass, lit ? 0.9 : 0.22))
        y += 0.025
      }
    }
  }

  private mutating func lamps(along shore: Float) {
    guard light.isNight || light.hour == .dusk else { return }
    var x = dice.between(0, 0.1)
    while x < aspect {
      canvas.fill(.rectangle(x: x - 0.0015, y: shore - 0.05, width: 0.003, height: 0.045), .colour(light.near))
      canvas.glow(Point(x, shore - 0.05), 0.035, Colour(0xffe2a0), 0.9)
      canvas.fill(.rectangle(x: x - 0.003, y: shore, width: 0.006, height: 0.14), .colour(Colour(0xffe2a0), 0.16))
      x += 0.16
    }
  }
}

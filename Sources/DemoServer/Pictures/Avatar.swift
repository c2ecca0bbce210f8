import Glibc

/// A person's small round-cornered portrait: an animal, a flower or a face, no two alike.
struct Avatar: Sendable {
  let index: Int

  static let side = 200

  private static let grounds: [UInt32] = [
    0x7fb7be, 0xf2a65a, 0x9d8ec7, 0xe07a5f, 0x81b29a, 0xf2cc8f, 0x5c80bc, 0xd98ba5, 0x4d8b79, 0xc7b8ea, 0xe8b4a0,
    0x3d5a80,
  ]
  private static let coats: [UInt32] = [
    0x2f2a3b, 0xe8742c, 0xf4efe6, 0x6b4f3f, 0x8d99ae, 0x3a6b7e, 0xd9a066, 0xb23a48, 0x4a5d4e, 0x5e548e, 0xcb997e,
  ]

  func draw() -> Canvas {
    let canvas = Canvas(width: Avatar.side, height: Avatar.side)
    let ground = Colour(Avatar.grounds[index % Avatar.grounds.count])
    let coat = Colour(Avatar.coats[(index * 3 + index / 6) % Avatar.coats.count])
    canvas.fill(Gradient(stops: [ground.mixed(.white, 0.25), ground]))
    canvas.fill(.circle(Point(0.5, 0.56), 0.4), .colour(ground.mixed(.white, 0.35), 0.5))
    let sketch = Sketch(canvas: canvas, coat: coat, ground: ground, turn: index / 6)
    switch index % 6 {
    case 0: sketch.person()
    case 1: sketch.fox()
    case 2: sketch.bird()
    case 3: sketch.cat()
    case 4: sketch.owl()
    default: sketch.blossom()
    }
    return canvas
  }
}

/// The parts portraits are made of.
private struct Sketch {
  let canvas: Canvas
  let coat: Colour
  let ground: Colour
  let turn: Int

  private var dark: Colour { Colour(0x241f2e) }

  private func eyes(_ left: Point, _ apart: Float, _ size: Float, white: Bool = true) {
    for x in [left.x, left.x + apart] {
      if white { canvas.fill(.circle(Point(x, left.y), size * 1.6), .colour(.white)) }
      canvas.fill(.circle(Point(x, left.y), size), .colour(dark))
      canvas.fill(.circle(Point(x - size * 0.3, left.y - size * 0.35), size * 0.32), .colour(.white))
    }
  }

  private func ears(_ points: [Point], inner: Colour) {
    let mirrored = points.map { Point(1 - $0.x, $0.y) }
    for ear in [points, mirrored] {
      canvas.fill(Path(ear), .colour(coat))
      let middle = ear.reduce(.zero, +) / Float(ear.count)
      canvas.fill(Path(ear.map { middle + ($0 - middle) * 0.5 }), .colour(inner))
    }
  }

  func cat() {
    ears([Point(0.2, 0.52), Point(0.2, 0.16), Point(0.47, 0.34)], inner: Colour(0xeaa0a8))
    canvas.fill(.ellipse(Point(0.5, 0.58), Point(0.32, 0.28)), .colour(coat))
    eyes(Point(0.38, 0.54), 0.24, 0.042)
    canvas.fill(.ellipse(Point(0.5, 0.7), Point(0.13, 0.085)), .colour(coat.mixed(.white, 0.55)))
    canvas.fill(Path([Point(0.465, 0.645), Point(0.535, 0.645), Point(0.5, 0.685)]), .colour(Colour(0xe5798a)))
    for (end, start) in [(Point(0.1, 0.62), Point(0.36, 0.68)), (Point(0.1, 0.72), Point(0.36, 0.71))] {
      canvas.fill(.stroke(start, end, 0.008), .colour(.white, 0.8))
      canvas.fill(.stroke(Point(1 - start.x, start.y), Point(1 - end.x, end.y), 0.008), .colour(.white, 0.8))
    }
  }

  func fox() {
    ears([Point(0.19, 0.5), Point(0.16, 0.14), Point(0.45, 0.36)], inner: dark)
    canvas.fill(
      .smooth([
        Point(0.16, 0.5), Point(0.5, 0.32), Point(0.84, 0.5), Point(0.68, 0.74), Point(0.5, 0.86), Point(0.32, 0.74),
      ]),
      .colour(coat)
    )
    for side in [Float(0), 1] {
      let cheek = [Point(0.17, 0.54), Point(0.36, 0.58), Point(0.5, 0.84), Point(0.3, 0.74)]
      canvas.fill(Path(cheek.map { Point(abs(side - $0.x), $0.y) }), .colour(coat.mixed(.white, 0.8)))
    }
    eyes(Point(0.37, 0.53), 0.26, 0.034, white: false)
    canvas.fill(.ellipse(Point(0.5, 0.82), Point(0.05, 0.04)), .colour(dark))
  }

  func bird() {
    canvas.fill(.ellipse(Point(0.5, 0.62), Point(0.3, 0.34)), .colour(coat))
    canvas.fill(.ellipse(Point(0.5, 0.74), Point(0.2, 0.22)), .colour(coat.mixed(.white, 0.6)))
    canvas.fill(.ellipse(Point(0.24, 0.66), Point(0.1, 0.2), turned: 0.3), .colour(coat.mixed(dark, 0.3)))
    canvas.fill(.ellipse(Point(0.76, 0.66), Point(0.1, 0.2), turned: -0.3), .colour(coat.mixed(dark, 0.3)))
    for lean in 0...turn % 3 {
      canvas.fill(
        .stroke(Point(0.5, 0.32), Point(0.44 + 0.06 * Float(lean), 0.16), 0.022),
        .colour(coat.mixed(dark, 0.2))
      )
    }
    eyes(Point(0.4, 0.47), 0.2, 0.04)
    canvas.fill(Path([Point(0.44, 0.53), Point(0.56, 0.53), Point(0.5, 0.63)]), .colour(Colour(0xf4a340)))
  }

  func owl() {
    ears([Point(0.24, 0.4), Point(0.2, 0.17), Point(0.44, 0.3)], inner: coat)
    canvas.fill(.ellipse(Point(0.5, 0.6), Point(0.31, 0.36)), .colour(coat))
    canvas.fill(.ellipse(Point(0.5, 0.74), Point(0.2, 0.2)), .colour(coat.mixed(.white, 0.5)))
    for row in 0..<3 {
      for column in 0..<(4 - row) {
        let x = 0.5 + (Float(column) - Float(3 - row) / 2) * 0.09
        canvas.fill(.ellipse(Point(x, 0.69 + 0.08 * Float(row)), Point(0.03, 0.016)), .colour(coat))
      }
    }
    canvas.fill(.circle(Point(0.37, 0.46), 0.125), .colour(coat.mixed(.white, 0.7)))
    canvas.fill(.circle(Point(0.63, 0.46), 0.125), .colour(coat.mixed(.white, 0.7)))
    eyes(Point(0.37, 0.46), 0.26, 0.052, white: false)
    canvas.fill(Path([Point(0.46, 0.53), Point(0.54, 0.53), Point(0.5, 0.62)]), .colour(Colour(0xf0b04f)))
  }

  func blossom() {
    let petals = 6 + turn % 3 * 2
    for petal in 0..<petals {
      let angle = Float(petal) / Float(petals) * 2 * .pi
      let middle = Point(0.5, 0.5) + Point(cos(angle), sin(angle)) * 0.21
      let shade = coat.mixed(.white, petal.isMultiple(of: 2) ? 0.25 : 0.4)
      canvas.fill(.ellipse(middle, Point(0.19, 0.62 / Float(petals)), turned: angle), .colour(shade))
    }
    canvas.fill(.circle(Point(0.5, 0.5), 0.13), .colour(Colour(0xf6c445)))
    canvas.fill(.circle(Point(0.5, 0.5), 0.08), .colour(Colour(0xd98f2b), 0.6))
  }

  func person() {
    let skin = Colour([0xf1c9a5, 0x8d5a3b, 0xd9a066, 0x5e3b29, 0xe8b48c][(turn * 2) % 5])
    let hair = coat.mixed(dark, 0.35)
    canvas.fill(.ellipse(Point(0.5, 0.5), Point(0.29, 0.32)), .colour(hair))
    if turn.isMultiple(of: 2) { canvas.fill(.rectangle(x: 0.21, y: 0.5, width: 0.58, height: 0.3), .colour(hair)) }
    canvas.fill(.ellipse(Point(0.5, 1.03), Point(0.38, 0.26)), .colour(ground.mixed(dark, 0.55)))
    canvas.fill(.rectangle(x: 0.42, y: 0.68, width: 0.16, height: 0.14), .colour(skin.mixed(dark, 0.15)))
    canvas.fill(.ellipse(Point(0.5, 0.55), Point(0.22, 0.25)), .colour(skin))
    canvas.fill(
      .smooth([
        Point(0.26, 0.5), Point(0.32, 0.26), Point(0.52, 0.2), Point(0.74, 0.3), Point(0.75, 0.48), Point(0.52, 0.36),
      ]),
      .colour(hair)
    )
    eyes(Point(0.41, 0.54), 0.18, 0.024, white: false)
    canvas.fill(
      .smooth([Point(0.42, 0.65), Point(0.5, 0.67), Point(0.58, 0.65), Point(0.5, 0.71)]),
      .colour(Colour(0xb0493f))
    )
    canvas.fill(.circle(Point(0.35, 0.63), 0.035), .colour(Colour(0xe5798a), 0.4))
    canvas.fill(.circle(Point(0.65, 0.63), 0.035), .colour(Colour(0xe5798a), 0.4))
  }
}

import Glibc

/// A point in units of the picture's height: (0, 0) is the top left corner, y = 1 the lower edge.
typealias Point = SIMD2<Float>

/// Closed outlines, flattened to straight lines as they are added.
struct Path {
  private(set) var outlines: [[Point]] = []

  init() {}

  /// One closed outline through `points`.
  init(_ points: [Point]) { outlines = [points] }

  static func rectangle(x: Float, y: Float, width: Float, height: Float) -> Path {
    Path([Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)])
  }

  static func circle(_ centre: Point, _ radius: Float) -> Path { ellipse(centre, Point(radius, radius)) }

  static func ellipse(_ centre: Point, _ radii: Point, turned: Float = 0) -> Path {
    let count = 48
    let (cosine, sine) = (cos(turned), sin(turned))
    return Path(
      (0..<count).map { step in
        let angle = Float(step) / Float(count) * 2 * .pi
        let spot = Point(cos(angle), sin(angle)) * radii
        return centre + Point(spot.x * cosine - spot.y * sine, spot.x * sine + spot.y * cosine)
      }
    )
  }

  /// A line of some width with flat ends.
  static func stroke(_ from: Point, _ to: Point, _ width: Float) -> Path {
    let along = to - from
    let length = max((along * along).sum().squareRoot(), 1e-6)
    let side = Point(-along.y, along.x) / length * (width / 2)
    return Path([from + side, to + side, to - side, from - side])
  }

  /// The smooth closed curve through `points` (Catmull-Rom).
  static func smooth(_ points: [Point]) -> Path {
    let count = points.count
    var outline: [Point] = []
    for index in 0..<count {
      let (before, from) = (points[(index + count - 1) % count], points[index])
      let (to, after) = (points[(index + 1) % count], points[(index + 2) % count])
      for step in 0..<10 {
        let t = Float(step) / 10
        let linear: Point = (to - before) * t
        let second: Point = 2 * before - 5 * from + 4 * to - after
        let third: Point = 3 * from - before - 3 * to + after
        let curve: Point = linear + second * (t * t) + third * (t * t * t)
        outline.append(from + curve / 2)
      }
    }
    return Path(outline)
  }

  /// Both, filled as one where they turn the same way.
  static func + (left: Path, right: Path) -> Path {
    var sum = left
    sum.outlines += right.outlines
    return sum
  }

  /// The path moved, after being scaled around the origin.
  func placed(at origin: Point, scale: Float = 1, mirrored: Bool = false) -> Path {
    let factor = Point(mirrored ? -scale : scale, scale)
    var copy = self
    copy.outlines = outlines.map { $0.map { $0 * factor + origin } }
    return copy
  }
}

import CPicture

/// What fills a path: one colour, or one that changes from the path's top to its bottom.
struct Paint {
  var gradient: Gradient
  var top: Float = 0
  var bottom: Float = 1
  /// Its opacity in 0...1, at the top and at the bottom.
  var opacity: Float = 1
  var ending: Float?

  static func colour(_ colour: Colour, _ opacity: Float = 1) -> Paint {
    Paint(gradient: Gradient(stops: [colour, colour]), opacity: opacity)
  }

  static func down(_ stops: [Colour], from top: Float, to bottom: Float, _ opacity: Float = 1) -> Paint {
    Paint(gradient: Gradient(stops: stops), top: top, bottom: bottom, opacity: opacity)
  }

  /// One colour whose opacity changes from top to bottom.
  static func veil(_ colour: Colour, from top: Float, to bottom: Float, _ opacity: Float, _ ending: Float) -> Paint {
    Paint(gradient: Gradient(stops: [colour, colour]), top: top, bottom: bottom, opacity: opacity, ending: ending)
  }

  /// The opacity at `position`: 0 is the top, 1 the bottom.
  func opacity(at position: Float) -> Float { opacity + ((ending ?? opacity) - opacity) * min(max(position, 0), 1) }
}

/// A side of an outline in pixels, upper end first.
private struct Edge {
  var x: Float
  var top: Float
  var bottom: Float
  var slope: Float
  var direction: Float

  init?(_ from: Point, _ to: Point, height: Float) {
    guard from.y != to.y else { return nil }
    let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
    slope = (lower.x - upper.x) / (lower.y - upper.y)
    top = max(upper.y, 0)
    bottom = min(lower.y, height)
    x = upper.x + (top - upper.y) * slope
    direction = from.y < to.y ? 1 : -1
    guard top < bottom else { return nil }
  }
}

extension Canvas {
  /// Fills a path with smooth edges. Each pixel is hidden by exactly the area the path covers of it: a row collects the
  /// signed area its edges open and close, and a running sum gives the cover.
  func fill(_ path: Path, _ paint: Paint) {
    var edges = self.edges(of: path)
    edges.sort { $0.top < $1.top }
    guard let first = edges.first else { return }
    var areas = [Float](repeating: 0, count: width + 3)
    var active: [Edge] = []
    var waiting = 0
    var row = Int(first.top)
    while row < height, waiting < edges.count || !active.isEmpty {
      while waiting < edges.count, edges[waiting].top < Float(row + 1) {
        active.append(edges[waiting])
        waiting += 1
      }
      areas.withUnsafeMutableBufferPointer { cells in
        var touched = (low: width, high: 0)
        for edge in active { open(edge, row, cells.baseAddress!, &touched) }
        sweep(row, cells.baseAddress!, touched, paint)
      }
      active.removeAll { $0.bottom <= Float(row + 1) }
      row += 1
    }
  }

  private func edges(of path: Path) -> [Edge] {
    var edges: [Edge] = []
    for outline in path.outlines {
      guard var previous = outline.last.map({ $0 * unit }) else { continue }
      for point in outline {
        let next = point * unit
        if let edge = Edge(previous, next, height: Float(height)) { edges.append(edge) }
        previous = next
      }
    }
    return edges
  }

  /// Adds to `cells` the change of cover that `edge` causes in each pixel it crosses on `row`.
  private func open(
    _ edge: Edge,
    _ row: Int,
    _ cells: UnsafeMutablePointer<Float>,
    _ touched: inout (low: Int, high: Int)
  ) {
    let top = max(edge.top, Float(row))
    let depth = min(edge.bottom, Float(row + 1)) - top
    guard depth > 0 else { return }
    let limit = Float(width)
    let start = edge.x + (top - edge.top) * edge.slope
    let one = min(max(start, 0), limit)
    let two = min(max(start + edge.slope * depth, 0), limit)
    let (left, right) = one < two ? (one, two) : (two, one)
    let area = depth * edge.direction
    let (first, last) = (Int(left), Int(right.rounded(.up)))
    if last <= first + 1 {
      let inside = (left + right) / 2 - Float(first)
      cells[first] += area * (1 - inside)
      cells[first + 1] += area * inside
    } else {
      spread(area, left, right, first..<last, cells)
    }
    touched = (min(touched.low, first), max(touched.high, max(last, first + 1)))
  }

  /// The same for an edge so flat that it crosses several pixels of the row.
  private func spread(
    _ area: Float,
    _ left: Float,
    _ right: Float,
    _ columns: Range<Int>,
    _ cells: UnsafeMutablePointer<Float>
  ) {
    let each = 1 / (right - left)
    var before: Float = 0
    var given: Float = 0
    for column in columns {
      let reach = min(Float(column + 1), right)
      let crossed = reach - max(Float(column), left)
      let gap = Float(column + 1) - reach
      let covered = before + each * crossed * (crossed / 2 + gap)
      cells[column] += area * (covered - given)
      given = covered
      before += each * crossed
    }
    cells[columns.upperBound] += area * (1 - given)
  }

  /// Sums the row's changes up and paints runs of equal cover, leaving `cells` at zero.
  private func sweep(
    _ row: Int,
    _ cells: UnsafeMutablePointer<Float>,
    _ touched: (low: Int, high: Int),
    _ paint: Paint
  ) {
    let position = (Float(row) / unit - paint.top) / (paint.bottom - paint.top)
    let colour = paint.gradient.at(position).pixel
    let opacity = paint.opacity(at: position)
    var cover: Float = 0
    var column = touched.low
    while column <= touched.high {
      let end = picture_run(cells, column, touched.high + 1, &cover)
      if column < width {
        let strength = Int(min(abs(cover), 1) * opacity * 256 + 0.5)
        self.cover(row, column..<min(end, width), colour, strength)
      }
      column = end
    }
  }
}

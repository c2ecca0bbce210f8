import FoundationEssentials
import Web
import Wording

/// Numbers by period as stacked bars, drawn at the server. The numbers stand in a table beside it.
struct StackedBars {
  /// A part of a bar.
  struct Part {
    let name: String
    /// The class of its colour.
    let tone: String
    let value: Int
  }

  struct Bar {
    let period: DateInterval
    /// The period in words.
    let words: String
    let parts: [Part]
    var sum: Int { parts.reduce(0) { $0 + $1.value } }
  }

  let id: String
  let title: String
  let description: String
  /// Oldest first.
  let bars: [Bar]
  let axis: TimeAxis
  /// Formats a value.
  let words: (Int) -> String

  private static let height = 200.0
  private static let top = 18.0

  var html: HTML {
    let most = Double(max(1, bars.map(\.sum).max() ?? 1))
    return """
      <svg class="chart" width="100%" height="\(Int(Self.height))" role="img" aria-labelledby="\(id)-title \(id)-desc">
      <title id="\(id)-title">\(title)</title><desc id="\(id)-desc">\(description)</desc>
      \(grid(most))\(HTML.joined(bars.map { bar($0, most) }, separator: "\n"))</svg>\(axis.html)
      """
  }

  private func grid(_ most: Double) -> HTML {
    let lines = [1.0, 0.5].map { part -> HTML in
      let y = Self.top + (Self.height - Self.top) * (1 - part)
      return """
        <line class="tick" x1="0" x2="100%" y1="\(Self.pixels(y))" y2="\(Self.pixels(y))"/>\
        <text x="0" y="\(Self.pixels(y - 4))">\(words(Int((most * part).rounded())))</text>
        """
    }
    return HTML.joined(lines)
  }

  private func bar(_ bar: Bar, _ most: Double) -> HTML {
    let (from, to) = (axis.position(bar.period.start), axis.position(bar.period.end))
    // A single bar as wide as the picture would be a wall.
    let width = min(max((to - from) * 0.86, 0.0015), 0.08)
    let start = to - from > 0.1 ? (from + to - width) / 2 : from
    var bottom = Self.height
    let parts = bar.parts.filter { $0.value > 0 }.map { part -> HTML in
      let height = max(Double(part.value) / most * (Self.height - Self.top), 1)
      bottom -= height
      return """
        <rect class="\(part.tone)" x="\(NumberText.percent(min(start, 1 - width)))" width="\(NumberText.percent(width))" \
        y="\(Self.pixels(bottom))" height="\(Self.pixels(height))"/>
        """
    }
    let names = bar.parts.count > 1 ? bar.parts.filter { $0.value > 0 }.map { "\($0.name) \(words($0.value))" } : []
    let tip = "\(bar.words): \(words(bar.sum))" + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
    return "<g><title>\(tip)</title>\(HTML.joined(parts))</g>"
  }

  private static func pixels(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}

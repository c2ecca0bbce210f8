import FoundationEssentials
import Storage
import Web

/// The coverage of all feeds over one axis of time.
struct CoveragePart {
  let reading: StatusReading

  var html: HTML {
    guard !reading.coverages.isEmpty else {
      return """
        <section class="card"><h2>Coverage</h2><p class="soft">No feed was pulled yet. <a href="/pull">Pull one</a>, or run \
        <code>media tag cats</code>.</p></section>
        """
    }
    let axis = TimeAxis(range, reading.zone)
    // What can be done something about comes first.
    let ordered = reading.coverages.sorted {
      ($0.gaps.isEmpty ? 1 : 0, reading.label($0.feed).lowercased()) < (
        $1.gaps.isEmpty ? 1 : 0, reading.label($1.feed).lowercased()
      )
    }
    let bars = ordered.enumerated().map { number, coverage in
      CoverageBar(coverage: coverage, number: number, axis: axis, reading: reading).html
    }
    return """
      <section class="card" id="gaps"><h2>Coverage</h2>\(patterns)\(spans)\(legend)\(axis.html)
      <ul class="coverages">\(HTML.joined(bars, separator: "\n"))</ul>\(axis.html)</section>
      """
  }

  /// From a little before the earliest known date, so that an open end has room.
  private var range: DateInterval {
    let now = reading.now
    if let start = reading.span.start(before: now) { return DateInterval(start: start, end: now) }
    let dates = reading.coverages.flatMap { $0.intervals.map(\.from) + $0.gaps.compactMap(\.from) }
    let earliest = min(dates.min() ?? now - 86_400, now - 3600)
    return DateInterval(start: earliest - now.timeIntervalSince(earliest) * 0.04, end: now)
  }

  private var spans: HTML {
    let links = StatusSpan.choices.map { choice -> HTML in
      let mark: HTML = choice.span == reading.span ? " aria-current=\"true\"" : ""
      return "<a href=\"\(choice.span.link)\"\(mark)>\(choice.words)</a>"
    }
    return "<p class=\"choices\"><span class=\"soft\">Show:</span> \(HTML.joined(links, separator: " "))</p>"
  }

  private var legend: HTML {
    let parts: [(HTML, HTML)] = [
      ("complete", "complete"), ("gap", "gap"), ("unfinished", "unfinished pull"), ("open", "not known"),
    ]
    let items = parts.map { "<li>\(Self.swatch($0.0)) \($0.1)</li>" as HTML }
    return """
      <ul class="legend">\(HTML.joined(items))<li><svg class="key" width="22" height="16" aria-hidden="true"><line class="cap" \
      x1="11" x2="11" y1="0" y2="16"/></svg> the feed's beginning</li><li><svg class="key" width="22" height="16" \
      aria-hidden="true"><path class="cap" d="M6 2 L16 14 M16 2 L6 14"/></svg> pulls ended</li></ul>
      """
  }

  /// A small picture of a part.
  static func swatch(_ part: HTML) -> HTML {
    let fill: HTML = part == "gap" ? " fill=\"url(#hatch)\"" : part == "unfinished" ? " fill=\"url(#dots)\"" : ""
    let shape: HTML =
      part == "open"
      ? "<line class=\"open\" x1=\"0\" x2=\"22\" y1=\"8\" y2=\"8\"/>"
      : "<rect class=\"\(part)\" x=\"1\" y=\"1\" width=\"20\" height=\"14\" rx=\"2\"\(fill)/>"
    return "<svg class=\"key\" width=\"22\" height=\"16\" aria-hidden=\"true\">\(shape)</svg>"
  }

  private var patterns: HTML {
    """
    <svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>
    <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <line class="hatch" x1="1.5" x2="1.5" y1="0" y2="7"/></pattern>
    <pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><circle class="dot" cx="3" cy="3" r="1.2"/></pattern>
    </defs></svg>
    """
  }
}

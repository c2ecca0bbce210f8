import FoundationEssentials
import Posts
import Storage
import Web
import Wording

/// What of one feed is complete and what is missing, as a bar over time and in words.
///
/// Patterns and outlines tell the parts apart, besides the colours: complete is filled, a gap is hatched, what a pull did
/// not finish is dotted with a dashed outline. A dashed line is unknown, a cap is the feed's beginning, and a cross is where
/// pulls ended.
struct CoverageBar {
  let coverage: FeedCoverage
  /// Its number on the page, for identifiers.
  let number: Int
  let axis: TimeAxis
  let reading: StatusReading

  static let height = 30

  private var times: MomentText { MomentText(reading.zone) }
  private var feed: Feed { coverage.feed }
  private var follow: Follow? { reading.follows.first { $0.feed == feed } }
  /// Whether nothing pulls it any more.
  private var hasEnded: Bool { follow.map { $0.schedule.state == .gone } ?? true }

  var html: HTML {
    let label = reading.label(feed)
    return """
      <li class="coverage"><h3><a href="/?feed=\(feed.name.queryEncoded)"><bdi>\(label)</bdi></a> <span class="soft">\(summary)</span></h3>
      \(picture(label))\(missing)
      <details><summary>As a table</summary>\(table)</details></li>
      """
  }

  private var summary: String {
    let gaps = coverage.gaps.count
    let parts = [
      coverage.intervals.isEmpty ? "nothing read yet" : NumberText.count(coverage.intervals.count, "complete part"),
      gaps == 0 ? nil : NumberText.count(gaps, "gap"),
      hasEnded ? follow == nil ? "not followed" : "gone" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  // MARK: The picture

  private func picture(_ label: String) -> HTML {
    let name = "coverage-\(number)"
    return """
      <svg class="stretch" width="100%" height="\(Self.height)" role="group" aria-labelledby="\(name)-title \(name)-desc">
      <title id="\(name)-title">Coverage of \(label)</title><desc id="\(name)-desc">\(description)</desc>
      \(openEnds)\(HTML.joined(coverage.intervals.map(interval)))\(marks)\(HTML.joined(coverage.gaps.enumerated().map { gap($1, $0) }))</svg>
      """
  }

  private var description: String {
    let complete = coverage.intervals.map { "complete from \(times.minute($0.from)) to \(times.minute($0.to))" }
    let gaps = coverage.gaps.map(described)
    return (complete + gaps).joined(separator: "; ") + "."
  }

  private func described(_ gap: Gap) -> String {
    "\(kind(gap)) from \(words(gap.dates.from, "the beginning")) to \(words(gap.dates.to, "now"))"
  }

  private func interval(_ part: FeedCoverage.Interval) -> HTML {
    let span = axis.span(from: part.from, to: part.to)
    return """
      <rect class="complete" x="\(span.x)" width="\(span.width)" y="6" height="18" rx="2"><title>Complete from \
      \(times.minute(part.from)) to \(times.minute(part.to))</title></rect>
      """
  }

  private func gap(_ gap: Gap, _ index: Int) -> HTML {
    let (from, to) = gap.dates
    let span = axis.span(from: from ?? axis.range.start, to: to ?? axis.range.end)
    let words = described(gap)
    return """
      <a href="#\(id(index))" data-fill="\(feed.name)" aria-label="\(words)"><rect class="\(gap.kind == .gap ? "gap" : "unfinished")" x="\(span.x)" \
      width="\(span.width)" y="6" height="18" rx="2" fill="url(#\(gap.kind == .gap ? "hatch" : "dots"))"><title>\(words)</title></rect></a>
      """
  }

  /// Below the lowest part and above the highest one nothing is known.
  private var openEnds: HTML {
    guard let top = coverage.intervals.first, let bottom = coverage.intervals.last else { return "" }
    let (right, left) = (NumberText.percent(axis.position(top.to)), NumberText.percent(axis.position(bottom.from)))
    let older: HTML = bottom.reachesEnd ? "" : "<line class=\"open\" x1=\"0\" x2=\"\(left)\" y1=\"15\" y2=\"15\"/>"
    let newer: HTML = hasEnded ? "" : "<line class=\"open\" x1=\"\(right)\" x2=\"100%\" y1=\"15\" y2=\"15\"/>"
    return older + newer
  }

  private var marks: HTML {
    guard let top = coverage.intervals.first, let bottom = coverage.intervals.last else { return "" }
    var marks: HTML = ""
    if bottom.reachesEnd, bottom.from >= axis.range.start {
      let x = NumberText.percent(axis.position(bottom.from))
      marks = """
        <line class="cap" x1="\(x)" x2="\(x)" y1="2" y2="28"><title>The feed has nothing before \(times.minute(bottom.from))</title></line>
        """
    }
    if hasEnded, top.to >= axis.range.start {
      let end = axis.position(top.to)
      let (x, start) = (NumberText.percent(end), end > 0.02 ? -13 : 3)
      // The cross is a picture of its own: its lines are in pixels, its place is a percentage. It stands inside the end.
      marks =
        marks + """
          <svg x="\(x)" y="7" width="16" height="16" overflow="visible"><title>Nothing pulls it any more; read last \
          \(times.minute(top.pulledAt))</title><path class="cap inside" d="M\(start) 2 l10 12 m0 -12 l-10 12"/></svg>
          """
    }
    return marks
  }

  // MARK: In words

  private func id(_ index: Int) -> String { "gap-\(number)-\(index)" }

  private func kind(_ gap: Gap) -> String { gap.kind == .gap ? "gap" : "unfinished pull" }

  private func words(_ moment: Date?, _ otherwise: String) -> String { moment.map(times.minute) ?? otherwise }

  /// What is missing, with how to fill it. A script puts a button in place of the command, and fills what is clicked on the
  /// bar.
  private var missing: HTML {
    guard !coverage.gaps.isEmpty else { return "" }
    let items = coverage.gaps.enumerated().map { index, gap -> HTML in
      let kind: HTML = gap.kind == .gap ? "Gap" : "Unfinished"
      return """
        <li id="\(id(index))"><span>\(CoveragePart.swatch(gap.kind == .gap ? "gap" : "unfinished")) \(kind): \(range(gap))</span></li>
        """
    }
    let words = coverage.gaps.count == 1 ? "Fill it" : "Fill all \(coverage.gaps.count)"
    return """
      <ul class="gaps">\(HTML.joined(items))</ul><div class="filling"><details class="fill" data-fill="\(feed.name)">\
      <summary>\(words)</summary><code>media gaps \(ShellText.word(feed.name)) --fill</code></details></div>
      """
  }

  private func range(_ gap: Gap) -> HTML {
    var length = ""
    let (from, to) = gap.dates
    if let from, let to, to > from { length = " (\(NumberText.span(to.timeIntervalSince(from))))" }
    return "\(words(from, "the beginning")) – \(words(to, "the newest"))\(length)"
  }

  private var table: HTML {
    let complete = coverage.intervals.map { part -> (Date, HTML) in
      let open: HTML = part.reachesEnd ? "reaches the feed's beginning" : ""
      return (
        part.to,
        "<tr><td>complete</td><td>\(times.html(part.from))</td><td>\(times.html(part.to))</td><td>read \(times.html(part.pulledAt)) \(open)</td></tr>"
      )
    }
    let gaps = coverage.gaps.map { gap -> (Date, HTML) in
      let (from, to) = gap.dates
      return (
        to ?? .distantFuture,
        "<tr><td>\(kind(gap))</td><td>\(words(from, "the beginning"))</td><td>\(words(to, "the newest"))</td><td></td></tr>"
      )
    }
    let rows = (complete + gaps).sorted { $0.0 > $1.0 }.map(\.1)
    return """
      <table><thead><tr><th scope="col">Part</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Note</th></tr></thead>\
      <tbody>\(HTML.joined(rows, separator: "\n"))</tbody></table>
      """
  }
}

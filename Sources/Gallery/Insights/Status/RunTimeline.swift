import FoundationEssentials
import Storage
import Web
import Wording

/// Harvests over time. The row tells how one went, besides the colour.
struct RunTimeline {
  let reading: StatusReading

  private var times: MomentText { MomentText(reading.zone) }

  var html: HTML {
    guard let oldest = reading.runs.last else {
      return """
        <section class="card"><h2>Harvests</h2><p class="soft">None in this time. <code>media harvest</code> pulls what is \
        followed, and <code>media schedule install</code> lets cron do it.</p></section>
        """
    }
    let start = reading.span.start(before: reading.now) ?? oldest.startedAt
    let axis = TimeAxis(DateInterval(start: min(start, reading.now), end: reading.now), reading.zone)
    return """
      <section class="card"><h2>Harvests</h2>\(picture(axis))\(axis.html)
      <details><summary>As a table</summary>\(table)</details></section>
      """
  }

  private static let rowHeight = 42

  private func picture(_ axis: TimeAxis) -> HTML {
    let groups = RunRow.allCases
    let counts = Dictionary(grouping: reading.runs) { RunRow($0) }.mapValues(\.count)
    let words = groups.map { "\(counts[$0] ?? 0) \($0.words)" }.joined(separator: ", ")
    let rows = groups.map { group -> HTML in
      let y = group.rawValue * Self.rowHeight
      return """
        <text x="0" y="\(y + 13)">\(group.words): \(counts[group] ?? 0)</text>\
        <line class="tick" x1="0" x2="100%" y1="\(y + 28)" y2="\(y + 28)"/>
        """
    }
    return """
      <svg class="timeline" width="100%" height="\(groups.count * Self.rowHeight)" role="img" aria-labelledby="runs-title runs-desc">
      <title id="runs-title">Harvests over time</title><desc id="runs-desc">\(words).</desc>
      \(HTML.joined(rows))\(HTML.joined(reading.runs.reversed().map { mark($0, axis) }, separator: "\n"))</svg>
      """
  }

  private func mark(_ run: HarvestRun, _ axis: TimeAxis) -> HTML {
    let (words, row) = (run.text, RunRow(run))
    let span = axis.span(
      from: run.startedAt, to: run.finishedAt ?? (words.isRunning ? reading.now : run.startedAt))
    let took = words.took.map { ", took \($0)" } ?? ""
    return """
      <rect class="run \(row.tone)" x="\(span.x)" width="\(span.width)" y="\(row.rawValue * Self.rowHeight + 20)" \
      height="16"><title>\(times.minute(run.startedAt))\(took): \(words.outcome), \(NumberText.count(run.counts.new, "new post"))</title></rect>
      """
  }

  private var table: HTML {
    let rows = reading.runs.prefix(100).map { run -> HTML in
      let words = run.text
      let failures = run.parts.compactMap { part in part.failure.map { "\(reading.label(part.feed)): \($0)" } }
      return """
        <tr><td>\(times.html(run.startedAt))</td><td>\(words.took ?? "")</td><td>\(words.outcome)\
        \(HTML.joined(failures.map { "<br><span class=\"soft\">\($0)</span>" as HTML }))</td>\
        <td class="number">\(NumberText.grouped(run.feeds))</td><td class="number">\(NumberText.grouped(run.counts.new))</td>\
        <td class="number">\(NumberText.grouped(run.counts.requests))</td><td class="number">\(NumberText.bytes(Int(run.counts.bytes)))</td></tr>
        """
    }
    return """
      <div class="wide" tabindex="0" role="region" aria-label="Harvests as a table"><table><thead><tr><th scope="col">When</th>\
      <th scope="col">Took</th><th scope="col">Outcome</th><th scope="col" class="number">Feeds</th>\
      <th scope="col" class="number">New</th><th scope="col" class="number">Requests</th>\
      <th scope="col" class="number">Received</th></tr></thead><tbody>\(HTML.joined(rows, separator: "\n"))</tbody></table></div>
      """
  }
}

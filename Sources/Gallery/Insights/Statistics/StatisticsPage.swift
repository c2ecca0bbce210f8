import FoundationEssentials
import Machine
import Posts
import Storage
import Web
import Wording

/// Numbers of the library as pictures, with the tables that they are made of.
struct StatisticsPage {
  let request: StatisticsRequest
  let statistics: LibraryStatistics
  /// What lists leave out.
  let planned: PlannedCounts

  init(_ request: StatisticsRequest, _ statistics: LibraryStatistics, planned: PlannedCounts) {
    (self.request, self.statistics, self.planned) = (request, statistics, planned)
  }

  private var zone: TimeZone { request.query.zone }
  private var times: MomentText { MomentText(zone) }

  var html: HTML {
    PageFrame.html(
      "Statistics", .statistics, scripts: ["pages.js"], styles: ["insights.css"],
      """
      <main class="page statistics" data-live="300"><h1>Statistics</h1>\(form)
      \(posts)<div class="halves">\(tags)\(authors)</div>\(growth)</main>
      """)
  }

  private var form: HTML {
    let lengths = [nil] + PeriodLength.allCases
    let options = lengths.map { length -> HTML in
      let mark: HTML = length == request.length ? " selected" : ""
      return "<option value=\"\(length?.rawValue ?? "")\"\(mark)>\(length?.rawValue ?? "as it fits")</option>"
    }
    return """
      <form class="find range" action="/statistics"><div><label for="from">From</label><input id="from" type="date" name="from" \
      value="\(request.from ?? "")"></div><div><label for="to">To</label><input id="to" type="date" name="to" \
      value="\(request.to ?? "")"></div><div><label for="by">Bars of a</label><select id="by" name="by">\(HTML.joined(options))</select></div>\
      <button>Show</button> <a href="/statistics">All time</a></form>
      """
  }

  // MARK: Posts

  /// The sources, the one with the most posts first. Their order gives their colours.
  private var sources: [SourceName] {
    var sums: [SourceName: Int] = [:]
    for period in statistics.posts { sums.merge(period.counts, uniquingKeysWith: +) }
    return sums.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map(\.key)
  }

  private static func tone(_ index: Int) -> String { "series-\(min(index, 5) + 1)" }

  private var posts: HTML {
    let periods = statistics.posts.reversed()
    guard let first = periods.first, let last = periods.last else {
      return "<section class=\"card\"><h2>Posts</h2><p class=\"soft\">There are none in this time.</p></section>"
    }
    let sources = sources
    let bars = periods.map { period in
      StackedBars.Bar(
        period: period.period, words: name(of: period.period),
        parts: sources.enumerated().map { .init(name: $1.rawValue, tone: Self.tone($0), value: period.counts[$1] ?? 0) }
      )
    }
    let sum = bars.reduce(0) { $0 + $1.sum }
    let chart = StackedBars(
      id: "posts", title: "Posts a \(statistics.length.rawValue)",
      description: "\(NumberText.count(sum, "post")) from \(name(of: first.period)) to \(name(of: last.period)).",
      bars: bars, axis: TimeAxis(DateInterval(start: first.period.start, end: last.period.end), zone),
      words: NumberText.grouped)
    let legend = sources.enumerated().map { index, source -> HTML in
      "<li><span class=\"swatch \(Self.tone(index))\" aria-hidden=\"true\"></span> \(source.rawValue)</li>"
    }
    let part: HTML =
      planned.posts == 0 || request.query.within != nil
      ? "" : ", \(NumberText.grouped(planned.posts)) of them planned"
    return """
      <section class="card"><h2>Posts a \(statistics.length.rawValue)</h2><p class="soft">\(NumberText.count(sum, "post"))\(part)</p>\
      <ul class="legend">\(HTML.joined(legend))</ul>\(chart.html)\(behind(.posts, postTable(sources)))</section>
      """
  }

  private func name(of period: DateInterval) -> String {
    switch statistics.length {
    case .day: times.day(period.start)
    case .week: "week of \(times.day(period.start))"
    case .month: LocalCalendar(zone: zone).month(of: period)
    }
  }

  private func postTable(_ sources: [SourceName]) -> HTML {
    let heads = sources.map { "<th scope=\"col\" class=\"number\">\($0.rawValue)</th>" as HTML }
    let rows = statistics.posts.prefix(400).map { period -> HTML in
      let cells = sources.map { "<td class=\"number\">\(NumberText.grouped(period.counts[$0] ?? 0))</td>" as HTML }
      return "<tr><th scope=\"row\">\(name(of: period.period))</th>\(HTML.joined(cells))</tr>"
    }
    return
      "<thead><tr><th scope=\"col\">\(statistics.length.rawValue)</th>\(HTML.joined(heads))</tr></thead><tbody>\(HTML.joined(rows))</tbody>"
  }

  /// The table behind a picture, and its file.
  private func behind(_ part: StatisticsCSV.Part, _ table: HTML?) -> HTML {
    let query = (["part=\(part.rawValue)", request.queryText]).filter { !$0.isEmpty }.joined(separator: "&")
    let file: HTML = "<a href=\"/statistics.csv?\(query)\" download>Download as CSV</a>"
    guard let table else { return "<p class=\"choices\">\(file)</p>" }
    return """
      <details><summary>As a table</summary><div class="wide" tabindex="0" role="region" aria-label="Table: \(part.rawValue)">\
      <table>\(table)</table></div></details><p class="choices">\(file)</p>
      """
  }

  // MARK: Tags and authors

  private var tags: HTML {
    let rows = statistics.tags.map { tag -> (HTML, Int, Int?) in
      (
        "<a href=\"/?tag=\(tag.name.queryEncoded)\"><bdi>#\(tag.name)</bdi></a>", tag.shown, planned.tags[tag.name]
      )
    }
    return top("Tags with the most posts", "/tags", .tags, rows, statistics.tags.contains { $0.hidden == nil })
  }

  private var authors: HTML {
    let rows = statistics.authors.map { row -> (HTML, Int, Int?) in
      let author = row.author
      return (
        "<a href=\"/?user=\(author.handle.queryEncoded)\"><bdi>\(author.shownName)</bdi></a> <span class=\"soft\"><bdi>\(author.shownHandle)</bdi></span>",
        row.shown, planned.authors[author.id]
      )
    }
    return top(
      "Authors with the most posts", "/authors", .authors, rows, statistics.authors.contains { $0.hidden == nil })
  }

  /// A list of bars. The number stands beside each, so it needs no table behind it.
  private func top(
    _ title: HTML, _ all: HTML, _ part: StatisticsCSV.Part, _ rows: [(HTML, Int, Int?)], _ countsHidden: Bool
  ) -> HTML {
    let most = Double(max(1, rows.map(\.1).max() ?? 1))
    let items = rows.map { row -> HTML in
      "<li><span>\(row.0)</span> \(PlannedCount.html(row.1, planned: row.2))\(ShareBar.html(Double(row.1) / most))</li>"
    }
    let list: HTML =
      rows.isEmpty ? "<p class=\"soft\">There are none yet.</p>" : "<ol class=\"top\">\(HTML.joined(items))</ol>"
    return
      "<section class=\"card\"><h2>\(title)</h2><p class=\"soft\">of all time · <a href=\"\(all)\">all</a></p>\(countsHidden ? CountsFrame.hiddenNote : "")\(list)\(behind(part, nil))</section>"
  }

  // MARK: Growth

  /// All months from the first in which something was stored, oldest first. In some nothing was.
  private var months: [(period: DateInterval, bytes: Int)] {
    let bytes = Dictionary(statistics.growth.map { ($0.month.start, $0.bytes) }) { $1 }
    guard let first = statistics.growth.last?.month, let last = statistics.growth.first?.month else { return [] }
    let calendar = ZoneCalendar(zone)
    var months = [first]
    while let month = months.last, month.start < last.start, month.duration > 0 {
      months.append(calendar.month(of: month.end))
    }
    return months.map { (period: $0, bytes: bytes[$0.start] ?? 0) }
  }

  private var growth: HTML {
    let months = months
    guard let first = months.first, let last = months.last else { return "" }
    var total = 0
    let bars = months.map { month in
      defer { total += month.bytes }
      return StackedBars.Bar(
        period: month.period, words: times.month(month.period.start),
        parts: [
          .init(name: "before", tone: "series-2", value: total),
          .init(name: "stored in it", tone: "series-1", value: month.bytes),
        ])
    }
    let sum = months.reduce(0) { $0 + $1.bytes }
    let chart = StackedBars(
      id: "growth", title: "Growth of the stored pictures and files",
      description:
        "\(NumberText.bytes(sum)) from \(times.month(first.period.start)) to \(times.month(last.period.start)).",
      bars: bars, axis: TimeAxis(DateInterval(start: first.period.start, end: last.period.end), zone),
      words: NumberText.bytes)
    let rows = statistics.growth.map { month -> HTML in
      "<tr><th scope=\"row\">\(times.month(month.month.start))</th><td class=\"number\">\(NumberText.grouped(month.blobs))</td><td class=\"number\">\(NumberText.bytes(month.bytes))</td></tr>"
    }
    let table: HTML = """
      <thead><tr><th scope="col">Month</th><th scope="col" class="number">Files</th><th scope="col" class="number">Stored</th></tr></thead>\
      <tbody>\(HTML.joined(rows))</tbody>
      """
    return """
      <section class="card"><h2>Growth</h2><p class="soft">\(NumberText.bytes(sum)) of pictures and files</p><ul class="legend">\
      <li><span class="swatch series-1" aria-hidden="true"></span> stored in the month</li><li><span class="swatch series-2" \
      aria-hidden="true"></span> stored before</li></ul>\(chart.html)\(behind(.growth, table))</section>
      """
  }
}

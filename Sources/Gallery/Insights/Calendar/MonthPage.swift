import FoundationEssentials
import Machine
import MediaLibrary
import Storage
import Web
import Wording

/// A month of a list with the number of posts of each day, and the hours of the open day below it.
struct MonthPage: Sendable {
  let request: CalendarRequest
  /// The months in which the list has posts, newest first.
  let months: [PostMonth]
  /// The days of the month, with their counts.
  let days: [(day: DateInterval, count: ListTotal)]
  let hours: DayHours?
  /// The number of posts of the month. An entry of several days counts once.
  private let sum: Int
  /// Whether entries can be added.
  let canAdd: Bool

  /// Reads the month and the open day.
  init(_ request: CalendarRequest, months: [PostMonth], canAdd: Bool = true, in library: Library) throws {
    (self.request, self.months, self.canAdd) = (request, months, canAdd)
    let list = try request.counted(in: library)
    let days = LocalCalendar(zone: request.zone).days(ofMonthOf: request.month)
    let readings = try library.store.overlaps(of: list, within: days)
    self.days = zip(days, readings).map { (day: $0, count: $1.count) }
    sum = readings.reduce(readings.first?.continuedCount ?? 0) { $0 + $1.count.known - $1.continuedCount }
    hours = try request.open.map { try DayHours($0, of: list, in: request.zone, from: library.store) }
  }

  private var localCalendar: LocalCalendar { LocalCalendar(zone: request.zone) }
  private var texts: MomentText { MomentText(request.zone) }

  var html: HTML {
    let name = localCalendar.month(of: request.month)
    return PageFrame.html(
      "\(name)", .calendar, scripts: ["pages.js"], styles: ["insights.css"],
      """
      <main class="page calendar" data-live="1">
      <div class="head"><h1>\(name)</h1><p class="soft">\(total)\(ListText.html(of: request.list))</p></div>
      \(steps)\(month)\(hours.map { DayPart(hours: $0, request: request, canAdd: canAdd).html } ?? "")\(MonthTotals(months: months, request: request).html)
      </main>
      """)
  }

  private var total: String {
    let counts = days.map(\.count)
    return (counts.contains { if case .moreThan = $0 { true } else { false } } ? "more than " : "")
      + NumberText.count(sum, "post")
  }

  /// The links to other months.
  private var steps: HTML {
    let (before, after) = (localCalendar.month(-1, after: request.month), localCalendar.month(1, after: request.month))
    let hidden = HTML.joined(
      request.list.pairs.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as HTML })
    return """
      <nav class="steps" aria-label="Months"><a class="button" rel="prev" href="\(request.link(month: texts.month(before.start)))">\
      <span aria-hidden="true">←</span> \(step(before))</a>
      <a class="button" href="\(request.link(day: texts.day(request.today.start)))">Today</a>
      <a class="button" rel="next" href="\(request.link(month: texts.month(after.start)))">\(step(after)) \
      <span aria-hidden="true">→</span></a>
      <form action="/calendar"><label class="visually-hidden" for="month">Month</label><input id="month" type="month" \
      name="month" value="\(texts.month(request.month.start))" pattern="[0-9]{4}-[0-9]{2}" placeholder="2026-11" required>\
      \(hidden)<button>Go</button></form></nav>
      """
  }

  /// A month's name. A narrow screen has no room for its year.
  private func step(_ month: DateInterval) -> HTML {
    let words = localCalendar.month(of: month).split(separator: " ", maxSplits: 1)
    return "\(words[0])<span class=\"year\"> \(words.dropFirst().joined())</span>"
  }

  // MARK: The weeks

  private var month: HTML {
    let weekdays = days.map { localCalendar.weekday($0.day) }
    let weeks = LocalCalendar.weeks(weekdays)
    let most = days.map(\.count.known).max() ?? 0
    let rows = (0...(weeks.last ?? 0)).map { week -> HTML in
      let cells = (0..<7).map { weekday -> HTML in
        let index = days.indices.first { weeks[$0] == week && weekdays[$0] == weekday }
        return index.map { cell(days[$0].day, days[$0].count, most) } ?? "<td class=\"none\"></td>"
      }
      return "<tr>\(HTML.joined(cells))</tr>"
    }
    let heads = LocalCalendar.weekdays.map { name -> HTML in
      "<th scope=\"col\"><abbr title=\"\(name)\">\(name.prefix(3))</abbr></th>"
    }
    return """
      <table class="month"><caption class="visually-hidden">Posts of each day</caption>
      <thead><tr>\(HTML.joined(heads))</tr></thead><tbody>\(HTML.joined(rows, separator: "\n"))</tbody></table>
      """
  }

  private func cell(_ day: DateInterval, _ count: ListTotal, _ most: Int) -> HTML {
    let current: HTML = day == request.open ? " aria-current=\"date\"" : ""
    let today: HTML = day == request.today ? " today" : ""
    let number = localCalendar.number(day)
    guard count.known > 0 else {
      return "<td class=\"heat-0\(today)\"><a href=\"\(link(day))\"\(current)><b>\(number)</b></a></td>"
    }
    return """
      <td class="heat-\(Heat.step(count.known, of: most))\(today)"><a href="\(link(day))"\(current)><b>\(number)</b> \
      <span title="\(count.words)">\(count.brief)<span class="visually-hidden"> posts</span></span></a></td>
      """
  }

  private func link(_ day: DateInterval) -> String {
    "\(request.link(month: texts.month(day.start), day: texts.day(day.start)))#day"
  }
}

/// How strongly a number is coloured. The number always stands beside the colour.
enum Heat {
  /// 0 for none, else 1 to 5. The square root keeps one busy day from paling all others.
  static func step(_ count: Int, of most: Int) -> Int {
    guard count > 0, most > 0 else { return 0 }
    return min(5, max(1, Int(((Double(count) / Double(most)).squareRoot() * 5).rounded(.up))))
  }
}

import Machine
import Storage
import Web
import Wording

/// The months of all years with the number of posts, to jump to them.
struct MonthTotals {
  /// Newest first.
  let months: [PostMonth]
  let request: CalendarRequest

  var html: HTML {
    let years = Dictionary(grouping: months, by: \.year).sorted { $0.key > $1.key }
    guard !years.isEmpty else { return "" }
    return "<section class=\"years\"><h2>All months</h2>\(HTML.joined(years.map { year($0.key, $0.value) }))</section>"
  }

  private func year(_ year: Int, _ months: [PostMonth]) -> HTML {
    let most = self.months.map(\.count).max() ?? 0
    let isOpen = MomentText(request.zone).month(request.month.start).hasPrefix("\(months[0].text.dropLast(3))-")
    let open: HTML = isOpen || self.months.count <= 24 ? " open" : ""
    let cells = months.reversed().map { month -> HTML in
      let isCurrent = month.text == MomentText(request.zone).month(request.month.start)
      let mark: HTML = isCurrent ? " aria-current=\"true\"" : ""
      return """
        <li class="heat-\(Heat.step(month.count, of: most))"><a href="\(request.link(month: month.text))"\(mark)>\
        \(LocalCalendar.months[month.month - 1].prefix(3)) <span>\(NumberText.grouped(month.count))</span></a></li>
        """
    }
    return """
      <details\(open)><summary>\(year) <span class="soft">\(NumberText.count(months.reduce(0) { $0 + $1.count }, "post"))\
      </span></summary><ul class="months">\(HTML.joined(cells))</ul></details>
      """
  }
}

extension PostMonth {
  /// `2026-11`.
  var text: String { "\(year.digits(4))-\(month.digits(2))" }
}

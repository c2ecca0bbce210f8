import FoundationEssentials
import Machine
import Storage
import Web
import Wording

/// The open day: a row for each hour, with its entries as blocks and its posts as small pictures.
struct DayPart {
  let hours: DayHours
  let request: CalendarRequest
  /// Whether an hour leads to the form for an entry.
  let canAdd: Bool

  private var localCalendar: LocalCalendar { LocalCalendar(zone: request.zone) }
  private var name: String { MomentText(request.zone).day(hours.day.start) }

  /// The list of the day.
  private var list: ListAddress {
    var list = request.list
    list.day = name
    return list
  }

  var html: HTML {
    let weekday = LocalCalendar.weekdays[localCalendar.weekday(hours.day)]
    let (before, after) = (localCalendar.day(-1, after: hours.day), localCalendar.day(1, after: hours.day))
    var shown: Set<Int> = []
    let rows = stretches.map { stretch -> HTML in
      let rows = HTML.joined(stretch.map { row($0, &shown) }, separator: "\n")
      return stretch.count > 1 ? folded(stretch, rows) : rows
    }
    let kind = hours.hours.allSatisfy(\.posts.isEmpty) ? "" : " posted"
    return """
      <section class="day" id="day" aria-labelledby="day-name">
      <h2 id="day-name">\(weekday), \(localCalendar.number(hours.day)) \(localCalendar.month(of: hours.day))</h2>
      <p class="choices">\(listed)
      <a rel="prev" href="\(link(before))">Day before</a> <a rel="next" href="\(link(after))">Day after</a></p>
      <ol class="hours\(kind)">\(HTML.joined(rows, separator: "\n"))</ol></section>
      """
  }

  /// The hours of the day, with those after one another in which there is nothing as one.
  private var stretches: [ArraySlice<DayHours.Hour>] {
    var (stretches, rest) = ([ArraySlice<DayHours.Hour>](), hours.hours[...])
    while let first = rest.first {
      let empty = rest.prefix(while: \.isEmpty)
      let stretch = empty.count >= Self.fewestFolded ? empty : [first]
      stretches.append(stretch)
      rest = rest.dropFirst(stretch.count)
    }
    return stretches
  }

  /// So many empty hours are shown as one.
  private static let fewestFolded = 3

  /// Empty hours as one row, which opens to add an entry in one of them.
  private func folded(_ stretch: ArraySlice<DayHours.Hour>, _ rows: HTML) -> HTML {
    let (start, end) = (stretch.first?.label.prefix { $0 != "–" } ?? "", stretch.last?.label.drop { $0 != "–" } ?? "")
    guard canAdd else { return "<li class=\"none\"><div class=\"range\">\(start)\(end)</div></li>" }
    return """
      <li class="none folded"><details><summary class="range">\(start)\(end)</summary>\
      <ol class="hours">\(rows)</ol></details></li>
      """
  }

  /// Leads to the list of the day, if it has any posts.
  private var listed: HTML {
    guard hours.begun > 0 else { return "<span class=\"soft\">No posts</span>" }
    return "<a href=\"/?\(list.query)\">\(NumberText.count(hours.begun, "post")) as a list</a>"
  }

  private func link(_ day: DateInterval) -> String {
    "\(request.link(day: MomentText(request.zone).day(day.start)))#day"
  }

  /// - Parameter shown: The blocks whose names stand in an hour before.
  private func row(_ hour: DayHours.Hour, _ shown: inout Set<Int>) -> HTML {
    let count = hour.posts.count + hour.rest
    let sum: HTML = count > 0 ? "<span class=\"soft\">\(NumberText.count(count, "post"))</span>" : ""
    let mark: HTML = hour.isEmpty ? " class=\"none\"" : ""
    return """
      <li\(mark)><div class="range">\(range(hour))\(sum)</div>\(blocks(hour, &shown))\(shots(hour))</li>
      """
  }

  /// The hour's name, which leads to the form for an entry in it.
  private func range(_ hour: DayHours.Hour) -> HTML {
    guard canAdd else { return HTML(hour.label) }
    let (start, finish) = (UTC.text(hour.interval.start), UTC.text(hour.interval.end))
    return """
      <a href="/add?start=\(start)&amp;finish=\(finish)" title="Add an entry" aria-label="\(hour.label), add an entry">\
      \(hour.label)</a>
      """
  }

  // MARK: Posts

  private func shots(_ hour: DayHours.Hour) -> HTML {
    guard !hour.posts.isEmpty || hour.rest > 0 else { return "" }
    let more: HTML =
      hour.rest > 0
      ? "<li><a class=\"shot text\" href=\"/?\(list.query)\">\(NumberText.grouped(hour.rest)) more</a></li>" : ""
    let tiles = hour.posts.map { "<li>\(tile($0))</li>" as HTML }
    return "<ul class=\"shots\">\(more)\(HTML.joined(tiles))</ul>"
  }

  private func tile(_ post: StoredPost) -> HTML {
    let address: HTML = "/post/\(post.id)?\(list.query)"
    let words = [post.title, post.author.map(\.shownName), String(post.caption.prefix(80))].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let time = localCalendar.time(post.createdAt)
    guard let picture = post.attachments.first(where: { $0.blob != nil && $0.kind != .audio && $0.kind != .file }),
      let blob = picture.blob
    else {
      let shown = post.isVeiled && !post.warning.isEmpty ? post.warning : words
      return "<a class=\"shot text\" href=\"\(address)\" dir=\"auto\">\(time) \(shown.prefix(60))</a>"
    }
    let veil: HTML = post.isVeiled ? " class=\"veiled\"" : ""
    let alt = post.isVeiled ? (post.warning.isEmpty ? "sensitive picture" : post.warning) : picture.alt ?? words
    return """
      <a class="shot" href="\(address)" title="\(time)"><img src="/thumb/320/\(blob.hex)" alt="\(time) \(alt)"\(veil) \
      loading="lazy" width="72" height="72"></a>
      """
  }

  // MARK: Entries

  private func blocks(_ hour: DayHours.Hour, _ shown: inout Set<Int>) -> HTML {
    guard !hour.lines.isEmpty else { return "" }
    var lines: [HTML] = []
    for line in hour.lines {
      let cells = line.cells.map { cell in cell.map { block($0, isFirst: shown.insert($0).inserted) } ?? "<div></div>" }
      lines.append("<div class=\"line\">\(HTML.joined(cells))</div>")
    }
    return "<div class=\"blocks\">\(HTML.joined(lines))</div>"
  }

  /// A block's part in one hour. Its name stands in the first; the further ones only show to the eye that it goes on.
  private func block(_ index: Int, isFirst: Bool) -> HTML {
    let entry = hours.entries[hours.table.blocks[index].entry]
    let query = request.list.query
    let address: HTML = query.isEmpty ? "/post/\(entry.id)" : "/post/\(entry.id)?\(query)"
    let words = entry.isVeiled && !entry.warning.isEmpty ? entry.warning : entry.entryName
    let time = localCalendar.span(entry.createdAt, entry.endsAt ?? entry.createdAt)
    guard isFirst else {
      return """
        <div class="entry"><a href="\(address)" tabindex="-1" aria-hidden="true" title="\(time) \(words)"></a>\
        <span class="visually-hidden"><bdi>\(words)</bdi> goes on</span></div>
        """
    }
    return
      "<div class=\"entry first\"><a href=\"\(address)\" title=\"\(time) \(words)\"><b>\(time)</b> <bdi>\(words)</bdi></a></div>"
  }
}

extension StoredPost {
  /// Whether its pictures are hidden.
  fileprivate var isVeiled: Bool { sensitive || !warning.isEmpty }

  /// Its title, or the beginning of its text.
  fileprivate var entryName: String {
    let title = title ?? ""
    return title.isEmpty ? String(caption.split(whereSeparator: \.isNewline).first?.prefix(80) ?? "") : title
  }
}

import FoundationEssentials
import Terminal
import Wording

// Draws the whole screen each time. The painter finds the differences.

extension ListScreen {
  /// Draws the screen. The canvas should have the screen's size.
  public func draw(into canvas: inout Canvas) {
    guard canvas.rows > 0, canvas.columns > 0 else { return }
    if case .picture(let zoom) = mode { return drawPicture(zoom, into: &canvas) }
    drawTitle(into: &canvas)
    drawSide(into: &canvas)
    var page = Canvas(columns: canvas.columns - sideWidth, rows: metrics.height - raisedRows)
    switch mode {
    case .post(let line): drawPost(into: &page, from: line)
    case .help(let line): drawHelp(into: &page, from: line)
    case .settings(let settings): drawSettings(settings, into: &page)
    case .calendar: drawCalendar(into: &page)
    case .writing(let form): form.draw(into: &page, now: now, dates)
    case .loggingIn(let login): drawLogin(login, into: &page)
    case .picture, .list, .adding, .restoring: drawList(into: &page)
    case .searching(let filter):
      drawList(into: &page)
      drawOffers(filter, into: &page)
    case .choosing(let tag):
      drawList(into: &page)
      drawPreview(tag, into: &page)
      draw(tag, candidatesOf: tags, into: &page)
    case .marking(let field):
      if case .post(let line) = behindMark { drawPost(into: &page, from: line) } else { drawList(into: &page) }
      drawMarkNames(field, into: &page)
    }
    canvas.paste(page, row: metrics.top, column: sideWidth)
    // The cursor of a page's own line.
    if let cursor = page.cursor { canvas.cursor = (cursor.row + metrics.top, cursor.column + sideWidth) }
    drawFoot(into: &canvas)
  }

  // MARK: Title

  private func drawTitle(into canvas: inout Canvas) {
    let width = canvas.columns
    let title = SafeText(scope.title)
    // Without room for both, the title matters more.
    let hasRoom = TextWidth.of(title) + TextWidth.of(countdown) + 4 <= width
    let right: SafeText = hasRoom ? " \(countdown) " : ""
    let room = max(0, width - TextWidth.of(right) - 1)
    var column = 1
    column += canvas.put(
      title, row: 0, column: column, width: room - column + 1, style: CellStyle(.accent, isBold: true))
    var details = details
    // The count matters more than the source.
    let needed = details.reduce(column) { $0 + 2 + TextWidth.of($1) }
    if needed > room, details.count > 1, !scope.origin.isEmpty { details.removeFirst() }
    // And more than the end of a long filter.
    if details.count > 1, let count = details.last {
      details[details.count - 2] = details[details.count - 2].truncated(
        to: max(3, room - column - 4 - TextWidth.of(count)))
    }
    for text in details where column + 3 < room {
      column += canvas.put("  \(text)", row: 0, column: column, width: room - column, style: .faint)
    }
    canvas.put(right, row: 0, column: max(column, width - TextWidth.of(right)), style: .faint)
    if metrics.top > 1 { canvas.fill("─", row: 1, column: 0, rows: 1, columns: width, style: .faint) }
  }

  private var details: [SafeText] {
    let found: SafeText = search.isEmpty ? "" : "\(filter.description)"
    let hidden: SafeText = list.reading.hidden == .exactly(0) ? "" : ", \(list.reading.hidden.text) hidden"
    let whole: SafeText = isRead ? "\(list.reading.total.text)\(hidden)" : ""
    let count: SafeText =
      looked.map { "\(NumberText.count(list.reading.rows.count, "post")) so far, back to \($0)" } ?? whole
    let selected: SafeText = selection.isEmpty ? "" : "\(selection.ids.count) selected"
    return [SafeText(scope.origin), found, selected, count].filter { !$0.isEmpty }
  }

  /// The day up to which the list was looked through so far; nil for all of it.
  private var looked: SafeText? { list.reading.lookedTo.map { "\(dates.day($0, at: now))" } }

  /// The right end of the title: the time until the next refresh.
  private var countdown: SafeText {
    if pulling.running == .new { return pulling.hasPage ? "fetching pictures…" : "refreshing…" }
    if pulling.running == .older { return pulling.hasPage ? "fetching pictures…" : "older posts…" }
    if case .gap = pulling.running { return "filling the gap…" }
    guard scope.canRefresh, let next = pulling.next else { return "? help" }
    return "refresh in \(NumberText.left(next.timeIntervalSince(now)))"
  }

  // MARK: The list

  private func drawList(into page: inout Canvas) {
    guard isRead else { return }
    guard !list.reading.rows.isEmpty || !list.motions.isEmpty else { return drawEmpty(into: &page) }
    let still = RowLayout(list.reading, metrics)
    let offset = list.offset(still, metrics)
    let layout = RowLayout(list.reading, metrics, motions: list.motions, at: now)
    for item in layout.items where item.top < offset + page.rows && item.top + item.height > offset {
      let row = item.top - offset
      switch item.content {
      case .heading(let number): drawHeading(list.reading.sections[number], row, into: &page)
      case .post(let index): drawPost(list.reading.rows[index], row, item.column, into: &page)
      case .gap(let number): drawGap(list.reading.breaks[number].gap, row, into: &page)
      case .leaving(let number): drawLeaving(list.motions[number], row, item.height, into: &page)
      case .tail: drawTail(row, into: &page)
      }
    }
  }

  private func drawHeading(_ section: ListReading.Section, _ row: Int, into page: inout Canvas) {
    let count: SafeText = metrics.columns < 34 ? "" : " \(section.count.text) "
    let width = metrics.isGrid ? metrics.columns : metrics.width
    let used = page.put(
      "\(dates.day(section.day, at: now))", row: row, column: metrics.indent, width: width - metrics.indent,
      style: .bold)
    let start = metrics.indent + used + 1
    let end = width - TextWidth.of(count)
    guard end > start else { return }
    page.fill("─", row: row, column: start, rows: 1, columns: end - start, style: .faint)
    page.put(count, row: row, column: end, style: .faint)
  }

  private func drawPost(_ post: ListRow, _ row: Int, _ column: Int, into page: inout Canvas) {
    let drawn = canvas(of: post, isSelected: post.id == list.selected, isChosen: selection.contains(post.id))
    let motion = list.motions.first { $0.kind == .arriving(post.id) }
    let shift = motion?.shift(of: metrics.columns, at: now) ?? 0
    page.paste(drawn, row: row, column: shift + column * metrics.cellWidth)
  }

  private func canvas(of post: ListRow, isSelected: Bool, isChosen: Bool = false) -> Canvas {
    metrics.isGrid
      ? GridDrawing(metrics: metrics, dates: dates, now: now, view: pictures)
        .canvas(of: post, isSelected: isSelected, isChosen: isChosen)
      : RowDrawing(metrics: metrics, dates: dates, now: now, view: pictures)
        .canvas(of: post, isSelected: isSelected, isChosen: isChosen)
  }

  /// The rectangles of pictures that scrolling down shows next. They may be drawn in advance.
  public var soon: [CellRect] {
    guard case .list = mode, pictures.isOn else { return [] }
    let layout = RowLayout(list.reading, metrics)
    let end = list.offset(layout, metrics) + metrics.height
    let next = layout.items.filter { $0.top >= end && $0.top < end + 2 * metrics.postHeight }
    return next.flatMap { item -> [CellRect] in
      guard case .post(let row) = item.content else { return [] }
      return canvas(of: list.reading.rows[row], isSelected: false).pictures
    }
  }

  private func drawLeaving(_ motion: Motion, _ row: Int, _ height: Int, into page: inout Canvas) {
    guard case .leaving(let post, _, _) = motion.kind else { return }
    let drawn = canvas(of: post, isSelected: false)
    let shift = motion.shift(of: metrics.columns, at: now)
    page.paste(drawn, row: row, column: shift, rows: 0..<min(height, drawn.rows))
  }

  private func drawTail(_ row: Int, into page: inout Canvas) {
    guard !list.reading.hasMoreAfter else { return }
    let room = max(0, metrics.width - metrics.indent)
    page.put(tail.sparingKey(to: room), row: row, column: metrics.indent, style: .faint)
  }

  /// The text of the last row.
  private var tail: SafeText {
    if pulling.running == .older, !pulling.hasPage {
      return pulling.wait.map { SafeText($0) } ?? "Pulling older posts…"
    }
    if pulling.wanted.contains(.older) {
      return "Older posts follow when \(pulling.hasPage ? "the pictures are here" : "the pull under way is over")."
    }
    if let failure = pulling.failure { return SafeText(helped(failure, "↓")) }
    if !search.isEmpty {
      return filter.terms.isEmpty
        ? "That is all that is stored with these words." : "That is all that this filter finds."
    }
    if pulling.isCutShort { return "A pull was cut short here · ↓ goes on" }
    if pulling.isEnd { return "This is the end of \(scope.title)." }
    if scope.canPullOlder { return "↓ pulls older posts" }
    if hasOlder { return "That is all that is stored; t shows one tag, which has older posts." }
    return scope.canRefresh ? "That is all that is stored." : "That is all."
  }

  /// The key that sends the words to the list's server: while they are typed, Enter only ends that, and Tab may complete them.
  private var keyToAsk: SafeText {
    guard case .searching(let field) = mode else { return "Enter" }
    return field.tab(canAsk: true) == .ask ? "Tab" : "Enter twice"
  }

  private func drawEmpty(into page: inout Canvas) {
    let lines: [(SafeText, CellStyle)] =
      search.isEmpty
      ? [
        (pulling.running == nil ? "Nothing here yet." : "Looking for posts…", .bold), ("", .plain),
        ("t  a tag such as cats@mastodon.social, a user, a search", .faint), ("a  a post of your own", .faint),
        ("?  all keys", .faint),
      ]
      : [
        (
          looked.map { "Nothing back to \($0). Looking on…" }
            ?? (filter.terms.isEmpty ? "No post has these words." : "This filter finds no post."), .bold
        ), ("", .plain),
        ("Esc shows all again", .faint),
      ]
        + (canAskThere ? [("\(keyToAsk) asks \(scope.searcher) for them", .faint)] : [])
    let width = lines.map { TextWidth.of($0.0) }.max() ?? 0
    let left = max(1, (metrics.columns - width) / 2)
    let top = max(0, (page.rows - lines.count) / 3)
    for (number, line) in lines.enumerated() {
      page.put(line.0, row: top + number, column: left, width: metrics.columns - left, style: line.1)
    }
  }
}

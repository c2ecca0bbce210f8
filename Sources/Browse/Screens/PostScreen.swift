import FoundationEssentials
import Pictures
import Terminal

/// One line of a page.
struct PageLine: Sendable, Equatable {
  var text: SafeText
  var style = CellStyle.plain
}

/// A whole post: its text, and one of its pictures as large as fits, above the text or beside it if there is room.
struct PostScreen {
  private let metrics: Metrics
  private var lines: [PageLine] = []
  /// The picture. If it stands between lines, its row counts from the first line.
  private var picture: CellRect?
  private let isBeside: Bool

  /// The page of a post.
  init(_ post: ListRow, _ metrics: Metrics, _ view: PictureView, dates: DateText, now: Date) {
    self.metrics = metrics
    let shown = view.isOn && !post.pictures.isEmpty ? view.index(in: post) : nil
    let isDrawn = shown.map { post.pictures[$0].isDrawable } ?? false
    isBeside = isDrawn && metrics.columns >= 110 && metrics.height >= 16
    lines.append(PageLine(text: post.name, style: CellStyle(.accent, isBold: true)))
    if !post.handle.isEmpty { lines.append(PageLine(text: "@\(post.handle)", style: .faint)) }
    lines.append(PageLine(text: "\(dates.range(post.createdAt, post.endsAt, at: now))", style: .faint))
    if let shown { add(post.pictures[shown], shown, of: post.pictures.count, view) }
    add(post.title, .bold)
    add(post.warning.isEmpty ? "" : "Warning: \(post.warning)", .bold)
    add(post.caption, .plain)
    add(HashtagText.untold(post.tags, in: post.caption).map { "#\($0)" as SafeText }.joined(separator: " "), .accent)
    add(post.marks, dates, now)
    if shown == nil {
      for picture in post.pictures {
        add(picture, [picture.state, picture.failure].filter { !$0.isEmpty })
      }
    }
    add(post.url ?? "", .faint)
    add(post.license.isEmpty ? "" : "Licence: \(post.license)", .faint)
    if let explanation = post.visibility?.explanation { add(SafeText(explanation), .bold) }
    if let gone = post.goneAt { add("Gone from the server · \(dates.moment(gone, at: now)) · it stays here", .bold) }
  }

  /// The number of lines.
  var height: Int { lines.count }

  /// Draws the visible part from a line on.
  func draw(into page: inout Canvas, from line: Int) {
    let first = min(line, max(0, lines.count - 1))
    for (row, line) in lines.dropFirst(first).prefix(page.rows).enumerated() {
      page.put(line.text, row: row, column: 1, width: width, style: line.style)
    }
    let moved = isBeside ? picture : picture?.moved(rows: -first, columns: 0)
    if let seen = moved?.seen(within: 0..<page.rows, columns: page.columns) { page.addPicture(seen) }
  }

  // MARK: Text

  /// The columns of the text.
  private var width: Int { isBeside ? max(48, min(72, metrics.columns / 3)) : max(1, metrics.width - 2) }

  private mutating func add(_ text: SafeText, _ style: CellStyle) {
    guard !text.isEmpty else { return }
    lines.append(PageLine(text: ""))
    lines += text.wrapped(to: width).map { PageLine(text: $0, style: style) }
  }

  /// What the person said of the post.
  private mutating func add(_ marks: RowMarks, _ dates: DateText, _ now: Date) {
    let facts = [marks.summary { "\(dates.moment($0, at: now))" }, marks.tagText, marks.albumText]
    for (number, fact) in facts.filter({ !$0.isEmpty }).enumerated() {
      if number == 0 { lines.append(PageLine(text: "")) }
      lines += fact.wrapped(to: width).map { PageLine(text: $0, style: .mark) }
    }
    add(marks.note.isEmpty ? "" : "Note: \(marks.note)", .mark)
  }

  private mutating func add(_ picture: ListRow.Picture, _ more: [SafeText]) {
    add((picture.facts + more).joined(separator: " · "), .bold)
    if !picture.alt.isEmpty {
      lines += picture.alt.wrapped(to: width).map { PageLine(text: $0, style: .faint) }
    }
    if !picture.described.isEmpty {
      lines += picture.described.wrapped(to: width).map { PageLine(text: $0, style: .faint) }
    }
    lines += picture.read.isEmpty ? [] : picture.read.wrapped(to: width).map { PageLine(text: $0, style: .faint) }
  }

  // MARK: The picture

  private mutating func add(_ picture: ListRow.Picture, _ index: Int, of count: Int, _ view: PictureView) {
    if picture.isDrawable, let blob = picture.blob, let cell = view.cell {
      let row = isBeside ? 0 : lines.count + 1
      let room = room
      let size = frame(of: picture, room, cell)
      self.picture = CellRect(
        name: blob.hex, row: row, column: isBeside ? width + 4 : 1, rows: size.rows, columns: size.columns,
        isFitted: true)
      if !isBeside { lines += Array(repeating: PageLine(text: ""), count: size.rows + 1) }
    }
    let number: [SafeText] = count > 1 ? ["\(index + 1) of \(count)"] : []
    let trouble = picture.trouble.map { [$0.what, $0.help].filter { !$0.isEmpty } } ?? []
    add(picture, number + (trouble.isEmpty && !picture.isDrawable ? ["o opens it"] : trouble))
  }

  /// The maximum cells of the picture. If there is room, the beginning of the text stays visible.
  private var room: (columns: Int, rows: Int) {
    guard !isBeside else { return (max(1, metrics.columns - width - 5), metrics.height) }
    return (width, max(1, metrics.height - (metrics.height < 20 ? 6 : 10), min(metrics.height - 1, 8)))
  }

  /// The cells of the picture in its proportions.
  private func frame(
    of picture: ListRow.Picture, _ room: (columns: Int, rows: Int), _ cell: CellSize
  ) -> (columns: Int, rows: Int) {
    let request = PictureRequest(
      path: "", columns: min(500, room.columns), rows: min(500, max(1, room.rows)), cell: cell, format: .blocks)
    guard let size = picture.pixels, size.width > 0, size.height > 0 else { return (request.columns, request.rows) }
    let frame = PictureFrame(width: size.width, height: size.height, for: request)
    return (frame.columns, frame.rows)
  }
}

import Terminal

// The pages that take the list's place.

/// One line of a page.
struct PageLine: Sendable, Equatable {
  var text: String
  var ink = Ink.plain
}

extension ListScreen {
  // MARK: A post whole

  func drawWhole(into page: inout Canvas, from line: Int) {
    let lines = wholeLines(width: metrics.width)
    for (row, line) in lines.dropFirst(min(line, max(0, lines.count - 1))).prefix(page.rows).enumerated() {
      page.put(line.text, row: row, column: 1, width: metrics.width - 2, ink: line.ink)
    }
  }

  /// The selected post's lines.
  func wholeLines(width: Int) -> [PageLine] {
    guard let post = whole else { return [] }
    let width = max(1, width - 2)
    var lines = [PageLine(text: post.name, ink: Ink(.accent, isBold: true))]
    if !post.handle.isEmpty { lines.append(PageLine(text: "@\(post.handle)", ink: .faint)) }
    lines.append(PageLine(text: dates.moment(post.createdAt, at: now), ink: .faint))
    lines += paragraph(post.title, width, .bold)
    lines += paragraph(post.warning.isEmpty ? "" : "Warning: \(post.warning)", width, .bold)
    lines += paragraph(post.caption, width, .plain)
    lines += paragraph(post.tags.map { "#\($0)" }.joined(separator: " "), width, .accent)
    for picture in post.pictures {
      let head = [picture.kind, picture.size, picture.state].filter { !$0.isEmpty }.joined(separator: " · ")
      lines += paragraph(head, width, .bold) + picture.alt.wrapped(to: width).map { PageLine(text: $0, ink: .faint) }
    }
    return lines + paragraph(post.url ?? "", width, .faint)
  }

  private func paragraph(_ text: String, _ width: Int, _ ink: Ink) -> [PageLine] {
    text.isEmpty ? [] : [PageLine(text: "")] + text.wrapped(to: width).map { PageLine(text: $0, ink: ink) }
  }

  // MARK: Help

  func drawHelp(into page: inout Canvas, from line: Int) {
    let width = min(14, max(6, page.columns / 3))
    for (row, entry) in KeyMap.entries.dropFirst(line).prefix(page.rows).enumerated() {
      page.put(entry.shown, row: row, column: 2, width: width - 1, ink: .bold)
      page.put(entry.words, row: row, column: 2 + width, width: page.columns - width - 3)
    }
  }

  // MARK: Settings

  func drawSettings(_ settings: SettingsPage, into page: inout Canvas) {
    let height = page.columns >= 60 ? 1 : 2
    let first = max(0, (settings.place + 1) * height - page.rows) / height
    for (place, setting) in self.settings.enumerated().dropFirst(first) {
      let row = (place - first) * height
      let isSelected = place == settings.place
      if isSelected { page.put("▌", row: row, column: 0, ink: .accent) }
      page.put(
        setting.name, row: row, column: 2, width: 11, ink: Ink(isSelected ? .accent : .plain, isBold: true))
      if isSelected, let field = settings.field {
        page.put("▸", row: row, column: 13, ink: .accent)
        field.draw(into: &page, row: row, column: 15, width: max(4, page.columns - 16))
      } else {
        page.put(setting.value, row: row, column: 14, width: max(0, page.columns - 15))
        let (line, column) = height == 1 ? (row, 24) : (row + 1, 2)
        page.put(setting.words, row: line, column: column, width: max(0, page.columns - column - 1), ink: .faint)
      }
    }
  }
}

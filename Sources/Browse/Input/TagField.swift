import Terminal

/// A tag that is being typed, and recent ones.
struct TagField: Sendable, Equatable {
  var field = TextField()
  /// The typed text, which filters the candidates.
  private(set) var typed = ""
  /// The candidate in the field; 0 is the newest.
  private(set) var candidateIndex: Int?

  /// The known tags that contain the typed text, newest first.
  func candidates(_ known: [String]) -> [String] {
    let wanted = typed.drop { $0 == "#" }.lowercased()
    return wanted.isEmpty ? known : known.filter { $0.lowercased().contains(wanted) }
  }

  /// Handles an editing key, or moves through the candidates; up is earlier.
  mutating func handle(_ key: Key, _ known: [String]) {
    switch key {
    case .up: walk(1, candidates(known))
    case .down: walk(-1, candidates(known))
    default:
      if field.handle(key) { (typed, candidateIndex) = (field.text, nil) }
    }
  }

  mutating func insert(_ pasted: String) {
    field.insert(pasted)
    (typed, candidateIndex) = (field.text, nil)
  }

  private mutating func walk(_ step: Int, _ candidates: [String]) {
    let next = (candidateIndex ?? -1) + step
    guard next < candidates.count else { return }
    candidateIndex = next < 0 ? nil : next
    field = TextField(text: candidateIndex.map { candidates[$0] } ?? typed)
  }
}

extension ListScreen {
  /// The candidates directly above the field, the newest at the bottom.
  func draw(_ field: TagField, candidatesOf known: [String], into page: inout Canvas) {
    drawChoices(field.candidates(known).map { SafeText($0) }, chosen: field.candidateIndex, into: &page)
  }

  /// What can be chosen for a text field, directly above it, the first at the bottom.
  ///
  /// - Parameter help: What a choice means, by its index.
  func drawChoices(
    _ all: [SafeText], chosen: Int?, into page: inout Canvas, help: (Int) -> SafeText = { _ in "" }
  ) {
    let room = min(8, max(0, page.rows - 1))
    let first = max(0, (chosen ?? 0) - room + 1)
    let shown = all.dropFirst(first).prefix(room)
    guard !shown.isEmpty else { return }
    let width = min(page.columns, max(24, (shown.map { TextWidth.of($0) }.max() ?? 0) + 4))
    let top = page.rows - shown.count - 1
    page.fill(row: max(0, top), column: 0, rows: page.rows, columns: page.columns)
    // Pictures are drawn over text: those behind the field would cover it.
    for picture in page.removePictures() {
      if let seen = picture.seen(within: 0..<max(0, top), columns: page.columns) { page.addPicture(seen) }
    }
    if top >= 0 { page.fill("─", row: top, column: 0, rows: 1, columns: width, style: .faint) }
    for (number, choice) in shown.enumerated() {
      let row = page.rows - 1 - number
      let isChosen = chosen == first + number
      if isChosen { page.put("▌", row: row, column: 0, style: .accent) }
      page.put(choice, row: row, column: 2, width: width - 3, style: isChosen ? .accent : .plain)
      page.put(help(first + number), row: row, column: width, width: max(0, page.columns - width), style: .faint)
    }
  }
}

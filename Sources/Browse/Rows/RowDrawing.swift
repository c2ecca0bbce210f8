import FoundationEssentials
import Terminal

/// Draws a post as a row.
struct RowDrawing {
  let metrics: Metrics
  let dates: DateText
  let now: Date
  let view: PictureView

  /// Returns the row on its own canvas.
  ///
  /// - Parameters:
  ///   - isSelected: Whether keys act on it while no posts are chosen.
  ///   - isChosen: Whether it is one of several posts on which keys act.
  func canvas(of post: ListRow, isSelected: Bool, isChosen: Bool = false) -> Canvas {
    let height = post.height(metrics)
    var canvas = Canvas(columns: metrics.columns, rows: height)
    if isSelected {
      canvas.fill("▌", row: 0, column: 0, rows: max(1, height - metrics.rowGap), columns: 1, style: .accent)
    }
    if isChosen { canvas.put(Self.chosen, row: 0, column: 1, style: CellStyle(.mark, isBold: true)) }
    if metrics.hasAvatar { drawTile(post, into: &canvas) }
    drawPicture(post, into: &canvas)
    drawHead(post, isSelected, metrics.textWidth(hasPicture: !post.pictures.isEmpty), into: &canvas)
    for (number, line) in RowText(post, metrics).lines.enumerated() {
      var column = metrics.indent
      for part in line { column += canvas.put(part.text, row: 1 + number, column: column, style: part.style) }
    }
    return canvas
  }

  private func drawHead(_ post: ListRow, _ isSelected: Bool, _ width: Int, into canvas: inout Canvas) {
    let several: SafeText = post.pictures.count > 1 && width >= 50 ? "\(post.pictures.count) pictures  " : ""
    let states: SafeText = post.states.map { "\($0)  " as SafeText }.joined(separator: "")
    let age: SafeText = "\(states)\(several)\(dates.age(of: post.createdAt, at: now))"
    let signs = post.marks.signs
    let side = TextWidth.of(age) + (signs.isEmpty ? 0 : TextWidth.of(signs) + 2)
    let room = width - side - 2
    let style = CellStyle(isSelected ? .accent : .plain, isBold: true)
    let used = canvas.put(post.name, row: 0, column: metrics.indent, width: room, style: style)
    if !post.handle.isEmpty, room - used > 8 {
      canvas.put("@\(post.handle)", row: 0, column: metrics.indent + used + 2, width: room - used - 2, style: .faint)
    }
    if room > 0 {
      canvas.put(signs, row: 0, column: metrics.indent + width - side, style: .mark)
      canvas.put(age, row: 0, column: metrics.indent + width - TextWidth.of(age), style: .faint)
    }
  }

  /// What stands before a post that is one of several on which keys act.
  static let chosen: SafeText = "●"

  /// Draws the author's initials on a tile, in place of an avatar.
  private func drawTile(_ post: ListRow, into canvas: inout Canvas) {
    let letters = post.initials
    canvas.fill(row: 0, column: 2, rows: 2, columns: 4, style: .tile)
    let side = (4 - TextWidth.of(letters) + 1) / 2
    canvas.put(letters, row: 0, column: 2 + side, width: 4 - side, style: .tile)
    if let avatar = post.avatar, view.isOn, view.hasAvatars {
      canvas.addPicture(CellRect(name: avatar.hex, row: 0, column: 2, rows: 2, columns: 4))
    }
  }

  /// The rectangle of the post's picture.
  private func drawPicture(_ post: ListRow, into canvas: inout Canvas) {
    guard let size = metrics.picture, !post.pictures.isEmpty else { return }
    PictureTile(post: post, view: view).draw(
      row: 0, column: metrics.width - size.columns - 1, rows: size.rows, columns: size.columns, into: &canvas)
  }
}

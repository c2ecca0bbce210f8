import FoundationEssentials
import Terminal

/// Draws a post as a grid cell.
struct GridDrawing {
  let metrics: Metrics
  let dates: DateText
  let now: Date
  let view: PictureView

  /// Returns the cell on its own canvas.
  ///
  /// - Parameters:
  ///   - isSelected: Whether keys act on it while no posts are chosen.
  ///   - isChosen: Whether it is one of several posts on which keys act.
  func canvas(of post: ListRow, isSelected: Bool, isChosen: Bool = false) -> Canvas {
    var canvas = Canvas(columns: metrics.cellWidth, rows: metrics.postHeight)
    let rows = metrics.gridPictureRows
    if isSelected { canvas.fill("▌", row: 0, column: 0, rows: max(2, rows + 1), columns: 1, style: .accent) }
    if rows > 0 {
      PictureTile(post: post, view: view).draw(
        row: 0, column: 1, rows: rows, columns: metrics.cellWidth - 2, into: &canvas)
    } else {
      canvas.put(post.line, row: 1, column: 2, width: metrics.cellWidth - 3)
    }
    drawFoot(post, isSelected, isChosen, row: rows, into: &canvas)
    return canvas
  }

  private func drawFoot(
    _ post: ListRow, _ isSelected: Bool, _ isChosen: Bool, row: Int, into canvas: inout Canvas
  ) {
    let first = row == 0 ? 2 : 1
    let left = first + (isChosen ? 2 : 0)
    if isChosen { canvas.put(RowDrawing.chosen, row: row, column: first, style: CellStyle(.mark, isBold: true)) }
    let age: SafeText = (post.states + ["\(dates.age(of: post.createdAt, at: now))"]).joined(separator: " ")
    let end = metrics.cellWidth - 1
    let worth = post.marks.worth.joined(separator: " ")
    let side = TextWidth.of(age) + (worth.isEmpty ? 0 : TextWidth.of(worth) + 1)
    let room = end - left - side - 1
    canvas.put(
      post.name, row: row, column: left, width: room, style: CellStyle(isSelected ? .accent : .plain, isBold: true))
    guard room >= 0 else { return }
    canvas.put(worth, row: row, column: end - side, style: .mark)
    canvas.put(age, row: row, column: end - TextWidth.of(age), style: .faint)
  }
}

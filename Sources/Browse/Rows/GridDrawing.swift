import FoundationEssentials
import Terminal

/// Draws a post as a grid cell.
struct GridDrawing {
  let metrics: Metrics
  let dates: DateText
  let now: Date
  let view: PictureView

  /// Returns the cell on its own canvas.
  func canvas(of post: ListRow, isSelected: Bool) -> Canvas {
    var canvas = Canvas(columns: metrics.cellWidth, rows: metrics.postHeight)
    let rows = metrics.gridPictureRows
    if isSelected { canvas.fill("▌", row: 0, column: 0, rows: max(2, rows + 1), columns: 1, style: .accent) }
    if rows > 0 {
      PictureTile(post: post, view: view).draw(
        row: 0, column: 1, rows: rows, columns: metrics.cellWidth - 2, into: &canvas)
    } else {
      canvas.put(post.line, row: 1, column: 2, width: metrics.cellWidth - 3)
    }
    drawFoot(post, isSelected, row: rows, into: &canvas)
    return canvas
  }

  private func drawFoot(_ post: ListRow, _ isSelected: Bool, row: Int, into canvas: inout Canvas) {
    let left = row == 0 ? 2 : 1
    let age: SafeText = (post.marks + ["\(dates.age(of: post.createdAt, at: now))"]).joined(separator: " ")
    let end = metrics.cellWidth - 1
    let room = end - left - TextWidth.of(age) - 1
    canvas.put(
      post.name, row: row, column: left, width: room, style: CellStyle(isSelected ? .accent : .plain, isBold: true))
    if room >= 0 { canvas.put(age, row: row, column: end - TextWidth.of(age), style: .faint) }
  }
}

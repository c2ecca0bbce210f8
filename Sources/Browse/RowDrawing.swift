import Foundation
import Terminal

/// Draws a post as a row.
struct RowDrawing {
  let metrics: Metrics
  let dates: DateWords
  let now: Date
  let view: PictureView

  /// The row on a canvas of its own.
  func canvas(of post: ListRow, isSelected: Bool) -> Canvas {
    var canvas = Canvas(columns: metrics.columns, rows: metrics.postHeight)
    if isSelected {
      canvas.fill("▌", row: 0, column: 0, rows: max(1, metrics.postHeight - 1), columns: 1, ink: .accent)
    }
    if metrics.hasAvatar { drawTile(post, into: &canvas) }
    let end = drawPicture(post, into: &canvas)
    let width = max(0, end - metrics.indent)
    drawHead(post, isSelected, width, into: &canvas)
    let tags: Inert = metrics.hasTags ? untold(post) : ""
    let lines = summary(post, width, most: metrics.captionLines + (metrics.hasTags && tags.isEmpty ? 1 : 0))
    for (number, line) in lines.enumerated() { put(line, row: 1 + number, into: &canvas) }
    canvas.put(tags, row: 1 + lines.count, column: metrics.indent, width: width, ink: .accent)
    return canvas
  }

  /// The tags that do not stand in the text already.
  private func untold(_ post: ListRow) -> Inert {
    let told = Set(post.line.text.lowercased().split(separator: " ").filter { $0.hasPrefix("#") })
    return post.tags.prefix(12).map { "#\($0)" as Inert }.filter { !told.contains($0.text[...]) }.joined(separator: " ")
  }

  /// A line of the text, its tags in colour.
  private func put(_ line: Inert, row: Int, into canvas: inout Canvas) {
    var column = metrics.indent
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let isTag = word.text.hasPrefix("#") && word.text.count > 1
      column += canvas.put(word, row: row, column: column, ink: isTag ? .accent : .plain) + 1
    }
  }

  private func summary(_ post: ListRow, _ width: Int, most: Int) -> [Inert] {
    guard width > 0 else { return [] }
    let all = post.line.wrapped(to: width)
    guard all.count > most else { return all }
    var shown = Array(all.prefix(most))
    if let last = shown.popLast() {
      let cut = last.truncated(to: max(0, width - 1))
      shown.append(cut.text.hasSuffix("…") ? cut : cut + "…")
    }
    return shown
  }

  private func drawHead(_ post: ListRow, _ isSelected: Bool, _ width: Int, into canvas: inout Canvas) {
    let isSeveral = post.pictures.count > 1 && width >= 50
    let age: Inert = "\(isSeveral ? "\(post.pictures.count) pictures  " : "")\(dates.age(of: post.createdAt, at: now))"
    let room = width - TextWidth.of(age) - 2
    let ink = Ink(isSelected ? .accent : .plain, isBold: true)
    let used = canvas.put(post.name, row: 0, column: metrics.indent, width: room, ink: ink)
    if !post.handle.isEmpty, room - used > 8 {
      canvas.put("@\(post.handle)", row: 0, column: metrics.indent + used + 2, width: room - used - 2, ink: .faint)
    }
    if room > 0 {
      canvas.put(age, row: 0, column: metrics.indent + width - TextWidth.of(age), ink: .faint)
    }
  }

  /// The author's initials on a tile, in the place of a face.
  private func drawTile(_ post: ListRow, into canvas: inout Canvas) {
    let letters = post.initials
    canvas.fill(row: 0, column: 2, rows: 2, columns: 4, ink: .tile)
    let side = (4 - TextWidth.of(letters) + 1) / 2
    canvas.put(letters, row: 0, column: 2 + side, width: 4 - side, ink: .tile)
    if let avatar = post.avatar, view.isOn, view.hasAvatars {
      canvas.place(PicturePlace(name: avatar.hex, row: 0, column: 2, rows: 2, columns: 4))
    }
  }

  /// The place of the post's picture; returns where the text ends.
  private func drawPicture(_ post: ListRow, into canvas: inout Canvas) -> Int {
    guard let size = metrics.picture, !post.pictures.isEmpty else { return metrics.width - 1 }
    let column = metrics.width - size.columns - 1
    PictureTile(post: post, view: view).draw(
      row: 0, column: column, rows: size.rows, columns: size.columns, into: &canvas)
    return column - 2
  }
}

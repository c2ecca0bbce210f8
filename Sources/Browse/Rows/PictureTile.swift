import Terminal

/// The cells of a post's first picture: a placeholder, or text that says why the picture is missing.
struct PictureTile {
  let post: ListRow
  let view: PictureView

  /// Draws into a rectangle, and requests the picture there.
  func draw(row: Int, column: Int, rows: Int, columns: Int, into canvas: inout Canvas) {
    canvas.fill(row: row, column: column, rows: rows, columns: columns, style: .ground)
    if let picture = post.pictures.first, picture.isDrawable, view.isOn, !post.isSensitive, let blob = picture.blob {
      canvas.addPicture(CellRect(name: blob.hex, row: row, column: column, rows: rows, columns: columns))
    } else {
      Self.write(texts, row: row, column: column, rows: rows, columns: columns, into: &canvas)
    }
  }

  /// Text in the middle of a rectangle.
  static func write(
    _ texts: [SafeText], row: Int, column: Int, rows: Int, columns: Int, into canvas: inout Canvas
  ) {
    let room = max(1, columns - 2)
    let lines = texts.flatMap { $0.wrapped(to: room) }.prefix(rows)
    let top = row + max(0, (rows - lines.count) / 2)
    for (number, line) in lines.enumerated() {
      let shown = line.truncated(to: room)
      let side = max(0, (columns - TextWidth.of(shown)) / 2)
      canvas.put(shown, row: top + number, column: column + side, width: columns - side, style: .ground)
    }
  }

  private var texts: [SafeText] {
    guard let picture = post.pictures.first else { return [post.line] }
    let count = post.pictures.count
    if let trouble = picture.trouble {
      return [count == 1 ? picture.kind : "\(count) pictures", trouble.what, trouble.help].filter { !$0.isEmpty }
    }
    if post.isSensitive, picture.isDrawable, view.isOn { return ["sensitive", "Enter to see"] }
    return count == 1 ? picture.facts : ["\(count) pictures"] + picture.facts.dropFirst()
  }
}

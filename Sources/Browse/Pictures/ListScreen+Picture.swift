import Terminal

// The full-window picture, and actions on a post's picture or link.

extension ListScreen {
  /// The picture of the shown or selected post.
  var seenPicture: ListRow.Picture? {
    selectedPost.flatMap { post in post.pictures.isEmpty ? nil : post.pictures[pictures.index(in: post)] }
  }

  private var lacksPicture: String { selectedPost == nil ? Self.noPost : "This post has no picture." }

  mutating func openPicture() {
    guard seenPicture != nil else { return notice = lacksPicture }
    (behindPicture, mode) = (mode, .picture(PictureZoom()))
  }

  mutating func openFile() -> [Effect] {
    guard let picture = seenPicture else {
      notice = lacksPicture
      return []
    }
    return open(picture)
  }

  /// Opens the attachment of a number, from 1.
  mutating func openFile(numbered number: Int) -> [Effect] {
    guard let files = selectedPost?.pictures, files.indices.contains(number - 1) else {
      notice = "This post has no file \(number)."
      return []
    }
    return open(files[number - 1])
  }

  private mutating func open(_ picture: ListRow.Picture) -> [Effect] {
    guard let blob = picture.blob else {
      let trouble = picture.trouble.map { [$0.what, $0.help].filter { !$0.isEmpty }.joined(separator: " · ") }
      notice = "The picture: \(trouble?.text ?? picture.state.text)"
      return []
    }
    return [.open(.file(blob, name: picture.name.isEmpty ? nil : picture.name.text))]
  }

  mutating func copyLink() -> [Effect] {
    guard let url = selectedPost?.url else {
      notice = selectedPost == nil ? Self.noPost : "This post has no page."
      return []
    }
    notice = "Copied, where the terminal allows it: \(url)"
    return [.terminal(.copy(url))]
  }

  // MARK: Keys

  mutating func handlePictureKey(_ key: Key, at zoom: PictureZoom) -> [Effect] {
    var zoom = zoom
    let window = PictureWindow(
      picture: seenPicture?.pixels.map { ($0.width, $0.height) }, cell: pictures.cell, columns: metrics.columns,
      rows: pictureRows)
    switch zoom.handle(key, in: window) {
    case .show: mode = .picture(zoom)
    case .close: mode = behindPicture
    case .turn(let step):
      let effects = turn(step)
      mode = .picture(zoom.whole)
      return effects
    case .turnPicture(let step): turnPicture(step, showing: .picture(zoom.whole))
    case .fetchAgain: fetchAgain()
    case .help: openHelp()
    case .act(let action): return act(action)
    case .none: break
    }
    return []
  }

  // MARK: Drawing

  /// The rows of the picture: all but the one that describes it.
  private var pictureRows: Int { metrics.rows >= 3 ? metrics.rows - 1 : metrics.rows }

  func drawPicture(_ zoom: PictureZoom, into canvas: inout Canvas) {
    let (columns, rows) = (min(500, canvas.columns), min(500, pictureRows))
    if let picture = seenPicture, picture.isDrawable, pictures.isOn, let blob = picture.blob {
      var rect = CellRect(name: blob.hex, row: 0, column: 0, rows: rows, columns: columns, isFitted: true)
      if zoom.isActualSize { rect.corner = zoom.corner }
      canvas.addPicture(rect)
    } else {
      canvas.fill(row: 0, column: 0, rows: rows, columns: canvas.columns, style: .ground)
      let trouble = seenPicture?.trouble.map { [$0.what, $0.help] } ?? []
      let lines = (seenPicture?.facts ?? ["This post has no picture."]) + (trouble.isEmpty ? ["O opens it"] : trouble)
      PictureTile.write(
        seenPicture == nil ? Array(lines.prefix(1)) : lines.filter { !$0.isEmpty }, row: 0, column: 0, rows: rows,
        columns: canvas.columns, into: &canvas)
    }
    if canvas.rows > rows { drawFoot(of: zoom, into: &canvas) }
  }

  private func drawFoot(of zoom: PictureZoom, into canvas: inout Canvas) {
    let row = canvas.rows - 1
    guard notice.isEmpty else {
      canvas.put(SafeText(notice).sparingKey(to: max(0, canvas.columns - 2)), row: row, column: 1)
      return
    }
    let count = selectedPost?.pictures.count ?? 0
    let number: [SafeText] = count > 1 ? ["\((selectedPost.map(pictures.index) ?? 0) + 1) of \(count)"] : []
    let facts = ((seenPicture?.facts ?? []) + number + [zoom.isActualSize ? "1:1" : "whole"]).joined(separator: " · ")
    let used = canvas.put(facts, row: row, column: 1, width: canvas.columns - 2, style: .faint)
    drawKeys(row, from: used + 3, into: &canvas)
  }

  /// The keys of the full-window picture.
  func pictureKeys(_ zoom: PictureZoom) -> [(String, String)] {
    let several = (selectedPost?.pictures.count ?? 0) > 1 ? [("Tab", "next picture")] : []
    return [zoom.isActualSize ? ("← ↑ ↓ →", "move") : ("← →", "posts"), ("Esc", "back")]
      + [("z", zoom.isActualSize ? "whole" : "1:1")] + several + [("O", "viewer"), ("y", "copy link")]
  }

  static let pictureHelp = [
    ("z Space", "whole, or one pixel of it for each of the screen"),
    ("h j k l ← ↑ ↓ →", "move over it; posts where it is whole"),
    ("PgUp PgDn", "a window up, a window down"), ("n p", "the post after, the post before"),
    ("Tab", "the next picture; Shift-Tab the one before"),
  ]
}

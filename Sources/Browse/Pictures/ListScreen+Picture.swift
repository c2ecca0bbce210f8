import Terminal

// The full-window picture, and actions on a post's picture or link.

/// How the full-window picture is shown.
struct PictureZoom: Sendable, Equatable {
  /// Whether it has its actual size: one pixel of the picture for one of the screen. Otherwise it fits the window.
  var isActualSize = false
  /// The first visible pixel, from the left and the top, at actual size.
  var corner = CellRect.Corner(x: 0, y: 0)
}

extension ListScreen {
  /// The picture of the shown or selected post.
  var seenPicture: ListRow.Picture? {
    whole.flatMap { post in post.pictures.isEmpty ? nil : post.pictures[pictures.index(in: post)] }
  }

  mutating func openPicture() {
    guard seenPicture != nil else { return notice = "This post has no picture." }
    (behindPicture, mode) = (mode, .picture(PictureZoom()))
  }

  mutating func openFile() -> [Effect] {
    guard let picture = seenPicture else {
      notice = "This post has no picture."
      return []
    }
    guard let blob = picture.blob else {
      let trouble = picture.trouble.map { [$0.what, $0.help].filter { !$0.isEmpty }.joined(separator: " · ") }
      notice = "The picture: \(trouble?.text ?? picture.state.text)"
      return []
    }
    return [.openFile(blob)]
  }

  mutating func copyLink() -> [Effect] {
    guard let url = whole?.url else {
      notice = "This post has no page."
      return []
    }
    notice = "Copied, where the terminal allows it: \(url)"
    return [.copy(url)]
  }

  // MARK: Keys

  mutating func look(_ key: Key, at zoom: PictureZoom) -> [Effect] {
    let (width, height) = (metrics.columns, pictureRows)
    switch key {
    case .escape, .character("q"), .enter, .backspace: mode = behindPicture
    case .character("z"), .character(" "): mode = .picture(changed(zoom))
    case .tab: turnPicture(1, zoom)
    case .backTab: turnPicture(-1, zoom)
    case .character("n"): return turn(1, zoom)
    case .character("p"): return turn(-1, zoom)
    case .right, .character("l"): return pan(zoom, right: width / 4, post: 1)
    case .left, .character("h"): return pan(zoom, right: -width / 4, post: -1)
    case .down, .character("j"): return pan(zoom, down: height / 4, post: 1)
    case .up, .character("k"): return pan(zoom, down: -height / 4, post: -1)
    case .pageDown: return pan(zoom, down: height, post: 1)
    case .pageUp: return pan(zoom, down: -height, post: -1)
    case .character("r"): fetchAgain()
    case .character("?"): openHelp()
    default: return actOnPost(key)
    }
    return []
  }

  /// Scrolls a picture at actual size by cells. If the picture fits, goes to another post.
  private mutating func pan(_ zoom: PictureZoom, right: Int = 0, down: Int = 0, post step: Int) -> [Effect] {
    guard zoom.isActualSize, let cell = pictures.cell else { return turn(step, zoom) }
    var zoom = zoom
    zoom.corner.x += right * cell.width
    zoom.corner.y += down * cell.height
    mode = .picture(held(zoom))
    return []
  }

  /// Switches between fitting and actual size, which starts at the middle.
  private func changed(_ zoom: PictureZoom) -> PictureZoom {
    var zoom = zoom
    zoom.isActualSize.toggle()
    if zoom.isActualSize, let most = mostCorner { zoom.corner = CellRect.Corner(x: most.x / 2, y: most.y / 2) }
    return zoom
  }

  /// Keeps the offset within the picture.
  private func held(_ zoom: PictureZoom) -> PictureZoom {
    var zoom = zoom
    let most = mostCorner
    zoom.corner.x = max(0, min(zoom.corner.x, most?.x ?? zoom.corner.x))
    zoom.corner.y = max(0, min(zoom.corner.y, most?.y ?? zoom.corner.y))
    return zoom
  }

  /// The largest offset; nil if the size is unknown.
  private var mostCorner: CellRect.Corner? {
    guard let size = seenPicture?.pixels, let cell = pictures.cell else { return nil }
    let (width, height) = (metrics.columns * cell.width, pictureRows * cell.height)
    return CellRect.Corner(x: max(0, size.width - width), y: max(0, size.height - height))
  }

  private mutating func turnPicture(_ step: Int, _ zoom: PictureZoom) {
    guard let post = whole else { return }
    pictures.turn(step, in: post)
    mode = .picture(PictureZoom(isActualSize: zoom.isActualSize))
  }

  private mutating func turn(_ step: Int, _ zoom: PictureZoom) -> [Effect] {
    let effects = turn(step)
    mode = .picture(PictureZoom(isActualSize: zoom.isActualSize))
    return effects
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
      let words = (seenPicture?.facts ?? ["This post has no picture."]) + (trouble.isEmpty ? ["O opens it"] : trouble)
      PictureTile.write(
        seenPicture == nil ? Array(words.prefix(1)) : words.filter { !$0.isEmpty }, row: 0, column: 0, rows: rows,
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
    let count = whole?.pictures.count ?? 0
    let number: [SafeText] = count > 1 ? ["\((whole.map(pictures.index) ?? 0) + 1) of \(count)"] : []
    let facts = ((seenPicture?.facts ?? []) + number + [zoom.isActualSize ? "1:1" : "whole"]).joined(separator: " · ")
    let used = canvas.put(facts, row: row, column: 1, width: canvas.columns - 2, style: .faint)
    drawKeys(row, from: used + 3, into: &canvas)
  }

  /// The keys of the full-window picture.
  func pictureKeys(_ zoom: PictureZoom) -> [(String, String)] {
    let several = (whole?.pictures.count ?? 0) > 1 ? [("Tab", "next picture")] : []
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

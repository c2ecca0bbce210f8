import Terminal

/// The window of a full-window picture.
struct PictureWindow {
  /// The picture's pixels; nil if unknown.
  let picture: (width: Int, height: Int)?
  /// The pixels of a cell; nil if no pictures are drawn.
  let cell: CellSize?
  let columns: Int
  /// The rows of the picture.
  let rows: Int

  /// The largest offset; nil if the size is unknown.
  var mostCorner: CellRect.Corner? {
    guard let picture, let cell else { return nil }
    let (width, height) = (columns * cell.width, rows * cell.height)
    return CellRect.Corner(x: max(0, picture.width - width), y: max(0, picture.height - height))
  }
}

/// How the full-window picture is shown, and what keys do there.
struct PictureZoom: Sendable, Equatable {
  /// What a key asks of the list.
  enum Outcome: Equatable {
    /// Shows the picture as it is zoomed now.
    case show
    case close
    /// Shows the post this many positions later.
    case turn(Int)
    case turnPicture(Int)
    case fetchAgain
    case help
    case act(Action)
    case none
  }

  /// Whether it has its actual size: one pixel of the picture for one of the screen. Otherwise it fits the window.
  var isActualSize = false
  /// The first visible pixel, from the left and the top, at actual size.
  var corner = CellRect.Corner(x: 0, y: 0)

  /// Another picture at the same size, from its beginning.
  var whole: PictureZoom { PictureZoom(isActualSize: isActualSize) }

  mutating func handle(_ key: Key, in window: PictureWindow) -> Outcome {
    let (width, height) = (window.columns, window.rows)
    switch key {
    case .escape, .character("q"), .enter, .backspace: return .close
    case .character("z"), .character(" "): return toggle(in: window)
    case .tab: return .turnPicture(1)
    case .backTab: return .turnPicture(-1)
    case .character("n"): return .turn(1)
    case .character("p"): return .turn(-1)
    case .right, .character("l"): return pan(right: width / 4, orTurn: 1, in: window)
    case .left, .character("h"): return pan(right: -width / 4, orTurn: -1, in: window)
    case .down, .character("j"): return pan(down: height / 4, orTurn: 1, in: window)
    case .up, .character("k"): return pan(down: -height / 4, orTurn: -1, in: window)
    case .pageDown: return pan(down: height, orTurn: 1, in: window)
    case .pageUp: return pan(down: -height, orTurn: -1, in: window)
    case .character("r"): return .fetchAgain
    case .character("?"): return .help
    default: return PostReducer.action(key).map { .act($0) } ?? .none
    }
  }

  /// Scrolls a picture at actual size by cells. If the picture fits, goes to another post.
  private mutating func pan(
    right: Int = 0, down: Int = 0, orTurn step: Int, in window: PictureWindow
  ) -> Outcome {
    guard isActualSize, let cell = window.cell else { return .turn(step) }
    let most = window.mostCorner
    let (x, y) = (corner.x + right * cell.width, corner.y + down * cell.height)
    corner.x = max(0, min(x, most?.x ?? x))
    corner.y = max(0, min(y, most?.y ?? y))
    return .show
  }

  /// Switches between fitting and actual size, which starts at the middle.
  private mutating func toggle(in window: PictureWindow) -> Outcome {
    isActualSize.toggle()
    if isActualSize, let most = window.mostCorner { corner = CellRect.Corner(x: most.x / 2, y: most.y / 2) }
    return .show
  }
}

/// The layout of a screen of a given size.
struct Metrics: Sendable, Equatable {
  let columns: Int
  let rows: Int
  /// Whether posts stand side by side.
  let isGrid: Bool

  init(columns: Int, rows: Int, isGrid: Bool = false) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    self.isGrid = isGrid
  }

  /// Whether there is room for more than text.
  private var isRoomy: Bool { columns >= 60 && rows >= 16 }
  private var isLarge: Bool { columns >= 110 && rows >= 36 }
  private var isWide: Bool { columns >= 160 && isRoomy }

  /// The first row of the list, below the title and its rule.
  var top: Int { rows >= 10 ? 2 : min(1, rows) }
  /// The rows of status and keys.
  var bottom: Int { rows >= 8 ? 2 : min(1, max(0, rows - 1)) }
  /// The rows of the list.
  var height: Int { max(0, rows - top - bottom) }
  /// The columns of the list.
  var width: Int { columns }

  /// The maximum rows of a post, including the blank row below it.
  var postHeight: Int {
    isGrid ? min(cellWidth * 2 / 5 + 1, max(2, height - headingHeight)) : 1 + bodyLines + rowGap
  }
  /// The minimum rows of a post.
  var leastHeight: Int { isGrid ? postHeight : (hasAvatar ? 2 : 1) + rowGap }
  /// The blank rows below a post.
  var rowGap: Int { rows >= 12 ? 1 : 0 }
  /// The maximum lines below a post's name.
  var bodyLines: Int { isLarge ? (isWide ? 8 : 5) : isRoomy ? (isWide ? 5 : 3) : 1 }
  /// The columns of a post's text.
  func textWidth(hasPicture: Bool) -> Int {
    let side = hasPicture ? picture.map { $0.columns + 3 } ?? 1 : 1
    return max(0, width - side - indent)
  }
  /// Whether tags and title have their own lines.
  var hasTags: Bool { isRoomy }
  /// The column at which text begins.
  var indent: Int { isGrid ? 1 : isRoomy ? 8 : 2 }
  /// Whether there is a tile for the avatar.
  var hasAvatar: Bool { isRoomy }
  /// The cells of a picture; nil if there is no room.
  var picture: (columns: Int, rows: Int)? {
    if isLarge { return isWide ? (36, 10) : (22, 6) }
    return isRoomy ? (isWide ? (22, 6) : (14, 4)) : nil
  }
  /// The number of columns of the help.
  var helpColumns: Int { columns >= 160 ? 3 : 1 }
  /// The rows of a day's heading.
  var headingHeight: Int { isLarge ? 2 : 1 }

  // MARK: The grid

  /// The number of columns of the grid.
  var across: Int { isGrid ? max(1, columns / (isLarge ? 24 : 20)) : 1 }
  /// The width of a grid column.
  var cellWidth: Int { columns / across }
  /// The rows of a grid picture; 0 if there is only room for text.
  var gridPictureRows: Int { postHeight >= 4 ? postHeight - 2 : 0 }
}

/// How a screen of some size is divided.
struct Metrics: Sendable, Equatable {
  let columns: Int
  let rows: Int
  /// Whether posts stand beside one another.
  let isGrid: Bool

  init(columns: Int, rows: Int, isGrid: Bool = false) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    self.isGrid = isGrid
  }

  /// Whether there is room for more than words.
  private var isRoomy: Bool { columns >= 60 && rows >= 16 }
  private var isLarge: Bool { columns >= 110 && rows >= 36 }

  /// The first row of the list, below the title and its rule.
  var top: Int { rows >= 10 ? 2 : min(1, rows) }
  /// The rows of status and keys.
  var bottom: Int { rows >= 8 ? 2 : min(1, max(0, rows - 1)) }
  /// The rows of the list.
  var height: Int { max(0, rows - top - bottom) }
  /// The columns of the list.
  var width: Int { columns }

  /// The most rows a post takes, the blank one below it included.
  var postHeight: Int {
    isGrid ? min(cellWidth * 2 / 5 + 1, max(2, height - headingHeight)) : 1 + bodyLines + rowGap
  }
  /// The fewest rows a post takes.
  var leastHeight: Int { isGrid ? postHeight : (hasAvatar ? 2 : 1) + rowGap }
  /// The blank rows below a post of the list.
  var rowGap: Int { rows >= 12 ? 1 : 0 }
  /// The most lines below a post's name.
  var bodyLines: Int { isLarge ? 5 : isRoomy ? 3 : 1 }
  /// The columns of a post's words.
  func textWidth(hasPicture: Bool) -> Int {
    let side = hasPicture ? picture.map { $0.columns + 3 } ?? 1 : 1
    return max(0, width - side - indent)
  }
  /// Whether its tags and its title have lines of their own.
  var hasTags: Bool { isRoomy }
  /// Where its text begins.
  var indent: Int { isGrid ? 1 : isRoomy ? 8 : 2 }
  /// Whether there is a tile for the author's face.
  var hasAvatar: Bool { isRoomy }
  /// The cells of a picture; nil where there is no room for one.
  var picture: (columns: Int, rows: Int)? { isLarge ? (22, 6) : isRoomy ? (14, 4) : nil }
  /// The rows a day's heading takes.
  var headingHeight: Int { isLarge ? 2 : 1 }

  // MARK: The grid

  /// How many posts stand beside one another.
  var across: Int { isGrid ? max(1, columns / (isLarge ? 24 : 20)) : 1 }
  /// The columns of one of them.
  var cellWidth: Int { columns / across }
  /// The rows of its picture; none where there is room for words alone.
  var gridPictureRows: Int { postHeight >= 4 ? postHeight - 2 : 0 }
}

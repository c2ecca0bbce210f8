import Terminal

/// Where a picture goes in its room: what of it is shown, and on how many cells.
public struct PictureFrame: Sendable, Equatable {
  /// The part that is shown, in the picture's pixels.
  public let left, top, width, height: Int
  /// The cells it takes.
  public let columns, rows: Int

  /// The frame of a picture of that size. No pixel becomes larger than a cell: what is tiny stays small.
  public init(width: Int, height: Int, for request: PictureRequest) {
    let (across, down) = (request.columns * request.cell.width, request.rows * request.cell.height)
    switch request.filling {
    case .fit:
      let scale = min(
        Double(across) / Double(width), Double(down) / Double(height), Double(request.cell.height))
      (left, top, self.width, self.height) = (0, 0, width, height)
      columns = Self.cells(Double(width) * scale, of: request.cell.width, most: request.columns)
      rows = Self.cells(Double(height) * scale, of: request.cell.height, most: request.rows)
    case .crop:
      self.width = min(width, max(1, height * across / down))
      self.height = min(height, max(1, width * down / across))
      left = (width - self.width) / 2
      top = (height - self.height) / 2
      (columns, rows) = (request.columns, request.rows)
    case .actual:
      self.width = min(width, across)
      self.height = min(height, down)
      left = min(request.left, width - self.width)
      top = min(request.top, height - self.height)
      columns = Self.cells(Double(self.width), of: request.cell.width, most: request.columns)
      rows = Self.cells(Double(self.height), of: request.cell.height, most: request.rows)
    }
  }

  private static func cells(_ pixels: Double, of size: Int, most: Int) -> Int {
    min(most, max(1, Int((pixels / Double(size)).rounded())))
  }

  /// The size at which a picture is best decoded, as small as its room allows. Whether it lies on its side is not
  /// known yet, so that it is large enough for both.
  public static func decodingSize(
    width: Int, height: Int, for request: PictureRequest
  ) -> (width: Int, height: Int) {
    let (across, down) = (Double(request.columns * request.cell.width), Double(request.rows * request.cell.height))
    if request.filling == .actual { return (width, height) }
    let (wide, high) = (Double(width), Double(height))
    let upright = [across / wide, down / high]
    let lying = [across / high, down / wide]
    let scale =
      switch request.filling {
      case .fit: max(min(upright[0], upright[1]), min(lying[0], lying[1]))
      case .crop, .actual: max(upright[0], upright[1], lying[0], lying[1])
      }
    guard scale < 1 else { return (width, height) }
    return (max(1, Int((wide * scale).rounded(.up))), max(1, Int((high * scale).rounded(.up))))
  }
}

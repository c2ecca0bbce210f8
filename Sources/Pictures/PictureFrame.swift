import Terminal

/// The layout of a picture: the part that is shown, and the number of cells for it.
public struct PictureFrame: Sendable, Equatable {
  /// The part that is shown, in pixels of the picture.
  public let left, top, width, height: Int
  /// The number of cells.
  public let columns, rows: Int

  /// The frame of a picture. No pixel becomes larger than a cell, so tiny pictures stay small.
  ///
  /// - Parameters:
  ///   - width: The width of the picture in pixels.
  ///   - height: The height of the picture in pixels.
  ///   - request: The request.
  public init(width: Int, height: Int, for request: PictureRequest) {
    let (across, down) = (request.columns * request.cell.width, request.rows * request.cell.height)
    switch request.filling {
    case .fit:
      let scale = min(
        Double(across) / Double(width), Double(down) / Double(height), Double(request.cell.height))
      (left, top, self.width, self.height) = (0, 0, width, height)
      columns = Self.cells(Double(width) * scale, of: request.cell.width, limit: request.columns)
      rows = Self.cells(Double(height) * scale, of: request.cell.height, limit: request.rows)
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
      columns = Self.cells(Double(self.width), of: request.cell.width, limit: request.columns)
      rows = Self.cells(Double(self.height), of: request.cell.height, limit: request.rows)
    }
  }

  private static func cells(_ pixels: Double, of size: Int, limit: Int) -> Int {
    min(limit, max(1, Int((pixels / Double(size)).rounded())))
  }

  /// The best size in pixels for decoding a picture: as small as the requested size allows. The orientation is not known
  /// yet, so the size suffices for a rotated picture too.
  public static func decodingSize(
    width: Int, height: Int, for request: PictureRequest
  ) -> (width: Int, height: Int) {
    let (across, down) = (Double(request.columns * request.cell.width), Double(request.rows * request.cell.height))
    if request.filling == .actual { return (width, height) }
    let (wide, high) = (Double(width), Double(height))
    let upright = [across / wide, down / high]
    let rotated = [across / high, down / wide]
    let scale =
      switch request.filling {
      case .fit: max(min(upright[0], upright[1]), min(rotated[0], rotated[1]))
      case .crop, .actual: max(upright[0], upright[1], rotated[0], rotated[1])
      }
    guard scale < 1 else { return (width, height) }
    return (max(1, Int((wide * scale).rounded(.up))), max(1, Int((high * scale).rounded(.up))))
  }
}

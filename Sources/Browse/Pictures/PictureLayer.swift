import Pictures
import Terminal

/// Places decoded pictures over the screen's cells. It never waits: a missing picture leaves its tile, and is returned as a
/// picture to draw.
public struct PictureLayer: Sendable {
  /// A picture on the screen.
  private enum PlacedPicture: Sendable {
    case cells(Canvas)
    case pixels(DrawnPicture)
  }

  /// Why a picture is missing.
  private struct Failure: Sendable {
    let message: SafeText
    /// Whether the picture worker failed; another try may succeed.
    let isPassing: Bool
    /// The number of tries.
    var tries = 1
    /// Whether to try it again.
    var isDue = false
  }

  /// How pictures are shown.
  public let choice: PictureChoice
  /// The size of a cell.
  public let cell: CellSize
  /// Maximum bytes of decoded pictures, in addition to those on the screen.
  public let memory: Int
  private let path: @Sendable (String) -> String?
  private var cache: DecodedPictureCache
  private var failures: [PictureRequest: Failure] = [:]
  // Pictures on the screen are kept beyond the limit: otherwise they would be drawn again and again.
  private var placed: [PictureRequest: PlacedPicture] = [:]
  private var onScreen: [CellRect: PictureRequest] = [:]
  private var ahead: Set<PictureRequest> = []
  private var drawnAhead: Set<PictureRequest> = []

  // Each entry is a short text. More pictures fail only when all fail.
  private static let mostFailures = 1000
  // A picture that crashes the picture worker gets no third try.
  private static let mostTries = 2

  /// An empty gallery.
  ///
  /// - Parameter path: Returns the file of a picture's name, or nil for an invalid name.
  public init(
    _ choice: PictureChoice, cell: CellSize, memory: Int, on file: DecodedPictureFile? = nil,
    path: @escaping @Sendable (String) -> String?
  ) {
    (self.choice, self.cell, self.memory, self.path) = (choice, cell, memory, path)
    cache = DecodedPictureCache(limit: memory, on: file)
  }

  /// Adds a decoded picture.
  public mutating func add(_ request: PictureRequest, _ result: Result<DrawnPicture, DrawingFailure>) {
    switch result {
    case .success(let picture):
      failures[request] = nil
      cache.keep(picture, for: request)
      if onScreen.values.contains(request) { place(picture, request) }
      if ahead.contains(request) { drawnAhead.insert(request) }
    case .failure(.cancelled): break
    case .failure(.broken(let message)):
      fail(request, DrawingFailure.broken(message).message, isPassing: true)
    case .failure(let failure): fail(request, failure.message)
    }
  }

  /// Places the pictures of a canvas, and leaves in it only those whose pixels are available. Returns the visible pictures
  /// that have to be drawn.
  public mutating func place(on canvas: inout Canvas) -> [PictureRequest] {
    let rects = canvas.removePictures()
    let before = Set(onScreen.values)
    onScreen = [:]
    var wanted: [PictureRequest] = []
    for rect in rects {
      guard let request = request(for: rect) else { continue }
      onScreen[rect] = request
      if !before.contains(request) { forgive(request) }
      if let failure = failures[request], !failure.isDue {
        write(failure.message, in: rect, on: &canvas)
      } else if let picture = picture(request) {
        place(picture, at: rect, request, on: &canvas)
      } else if !wanted.contains(request) {
        wanted.append(request)
      }
    }
    let seen = Set(onScreen.values)
    placed = placed.filter { seen.contains($0.key) }
    return wanted
  }

  /// The pictures to draw in advance, after all that are visible.
  public mutating func prepare(_ soon: [CellRect]) -> [PictureRequest] {
    let requests = soon.compactMap(request)
    ahead = Set(requests)
    // A picture that the cache has no room for is not drawn again and again.
    drawnAhead.formIntersection(ahead)
    return requests.filter { !drawnAhead.contains($0) && failures[$0] == nil && !cache.holds($0) }
  }

  /// The pixels at a rectangle of the last canvas.
  public func pixels(_ rect: CellRect) -> [UInt8] {
    guard let request = onScreen[rect], case .pixels(let picture) = placed[request] else { return [] }
    return picture.bytes
  }

  private func request(for rect: CellRect) -> PictureRequest? {
    guard let path = path(rect.name) else { return nil }
    var request = PictureRequest(
      path: path, columns: rect.columns, rows: rect.rows, cell: cell, format: choice.format,
      colours: choice.colours, filling: rect.isFitted ? .fit : .crop)
    if let corner = rect.corner { (request.filling, request.left, request.top) = (.actual, corner.x, corner.y) }
    return request.isPlausible ? request : nil
  }

  private mutating func picture(_ request: PictureRequest) -> PlacedPicture? {
    if placed[request] == nil, let picture = cache.picture(for: request) { place(picture, request) }
    return placed[request]
  }

  private mutating func place(_ picture: DrawnPicture, _ request: PictureRequest) {
    guard request.format == .blocks else { return placed[request] = .pixels(picture) }
    guard let cells = Canvas(blocks: picture.bytes, columns: picture.columns, rows: picture.rows) else {
      return fail(request, "the drawing is not a picture")
    }
    var spread = Self.ground(of: request)
    spread.paste(cells, row: (request.rows - cells.rows) / 2, column: (request.columns - cells.columns) / 2)
    placed[request] = .cells(spread)
  }

  private mutating func fail(_ request: PictureRequest, _ message: SafeText, isPassing: Bool = false) {
    let tries = (failures[request]?.tries ?? 0) + 1
    if failures.count >= Self.mostFailures { failures = [:] }
    failures[request] = Failure(message: message, isPassing: isPassing, tries: tries)
  }

  /// Retries a failed picture that becomes visible, if that may help.
  private mutating func forgive(_ request: PictureRequest) {
    guard let failure = failures[request], failure.isPassing, failure.tries < Self.mostTries else { return }
    failures[request]?.isDue = true
  }

  // MARK: On the canvas

  private mutating func place(
    _ picture: PlacedPicture, at rect: CellRect, _ request: PictureRequest, on canvas: inout Canvas
  ) {
    switch picture {
    case .cells(let cells):
      canvas.paste(cells, row: rect.row + rect.seen.lowerBound, column: rect.column, rows: rect.seen)
    case .pixels(let drawn):
      // A clipped picture would need another drawing. Its background stands for it until all of it is visible.
      guard rect.isWhole(onColumns: canvas.columns) else { return }
      canvas.paste(Self.ground(of: request), row: rect.row, column: rect.column)
      let exact = CellRect(
        name: rect.name, row: rect.row + (rect.rows - drawn.rows) / 2,
        column: rect.column + (rect.columns - drawn.columns) / 2, rows: drawn.rows, columns: drawn.columns)
      onScreen[rect] = nil
      onScreen[exact] = request
      canvas.addPicture(exact)
    }
  }

  /// The background around and below a picture.
  private static func ground(of request: PictureRequest) -> Canvas {
    var ground = Canvas(columns: request.columns, rows: request.rows)
    if request.filling == .crop {
      ground.fill(row: 0, column: 0, rows: request.rows, columns: request.columns, style: .ground)
    }
    return ground
  }

  private func write(_ failure: SafeText, in rect: CellRect, on canvas: inout Canvas) {
    // An avatar has no room for text.
    guard rect.columns >= 8 else { return }
    var tile = Canvas(columns: rect.columns, rows: rect.rows)
    tile.fill(row: 0, column: 0, rows: rect.rows, columns: rect.columns, style: .ground)
    PictureTile.write(
      ["cannot be drawn: \(failure)"], row: 0, column: 0, rows: rect.rows, columns: rect.columns, into: &tile)
    canvas.paste(tile, row: rect.row + rect.seen.lowerBound, column: rect.column, rows: rect.seen)
  }
}

/// Drawn pictures at hand, limited by the bytes that they take decoded, four a pixel: what was not asked for the longest
/// goes first. They lie on a shelf where there is one, and else in memory.
public struct PictureCache: Sendable {
  private struct Entry {
    var picture: DrawnPicture
    /// Where its bytes are, if not with it.
    var piece: PictureShelf.Piece?
    var size: Int
    var stamp: UInt64 = 0
  }

  private let limit: Int
  private let shelf: PictureShelf?
  private var entries: [PictureRequest: Entry] = [:]
  // Every use, oldest first; only the last use of a picture counts, the others are passed over.
  private var uses: [(request: PictureRequest, stamp: UInt64)] = []
  private var firstUse = 0
  private var clock: UInt64 = 0

  /// The bytes that are held.
  private(set) var byteCount = 0

  /// A cache of at most so many bytes.
  public init(limit: Int, on shelf: PictureShelf? = nil) { (self.limit, self.shelf) = (limit, shelf) }

  /// How many pictures are held.
  var count: Int { entries.count }

  /// A picture that is held; this is a use.
  public mutating func picture(for request: PictureRequest) -> DrawnPicture? {
    guard let entry = entries[request] else { return nil }
    use(request, entry)
    guard let piece = entry.piece else { return entry.picture }
    return piece.bytes.map { DrawnPicture(columns: entry.picture.columns, rows: entry.picture.rows, bytes: $0) }
  }

  /// Whether a picture is held; this is no use.
  public func holds(_ request: PictureRequest) -> Bool { entries[request] != nil }

  /// Holds a picture, and lets others go until there is room; one that is larger than all the room is not held.
  public mutating func keep(_ picture: DrawnPicture, for request: PictureRequest) {
    var entry = Entry(picture: picture, size: Self.size(picture, request))
    guard entry.size <= limit else { return }
    if let before = entries.removeValue(forKey: request) { byteCount -= before.size }
    if let piece = shelf?.keep(picture.bytes) {
      entry.piece = piece
      entry.picture = DrawnPicture(columns: picture.columns, rows: picture.rows, bytes: [])
    }
    byteCount += entry.size
    use(request, entry)
    while byteCount > limit { dropOldest() }
  }

  // What a terminal is sent is packed, more or less by format and picture: what people set is a size of pictures. One
  // costs more than its pixels: a thousand tiny ones must not be free.
  private static func size(_ picture: DrawnPicture, _ request: PictureRequest) -> Int {
    let pixels = picture.columns * request.cell.width * picture.rows * request.cell.height
    let decoded = request.format == .blocks ? 0 : 4 * pixels
    return max(decoded, picture.bytes.count) + request.path.utf8.count + 256
  }

  private mutating func use(_ request: PictureRequest, _ entry: Entry) {
    clock += 1
    entries[request] = entry
    entries[request]?.stamp = clock
    uses.append((request, clock))
    if uses.count > 2 * entries.count + 64 { forgetPassedOver() }
  }

  private mutating func dropOldest() {
    while firstUse < uses.count {
      let (request, stamp) = uses[firstUse]
      firstUse += 1
      guard let entry = entries[request], entry.stamp == stamp else { continue }
      byteCount -= entry.size
      entries[request] = nil
      return
    }
  }

  private mutating func forgetPassedOver() {
    uses = uses[firstUse...].filter { entries[$0.request]?.stamp == $0.stamp }
    firstUse = 0
  }
}

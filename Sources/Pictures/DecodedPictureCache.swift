/// A cache of drawn pictures. Its limit counts their decoded size, four bytes a pixel. It evicts the least recently used
/// picture first. The pictures are in a file if there is one, otherwise in memory.
public struct DecodedPictureCache: Sendable {
  private struct Entry {
    var picture: DrawnPicture
    /// The bytes in the file; nil if they are in memory.
    var piece: DecodedPictureFile.Piece?
    var size: Int
    var stamp: UInt64 = 0
  }

  private let limit: Int
  private let file: DecodedPictureFile?
  private var entries: [PictureRequest: Entry] = [:]
  // Every use, oldest first. Only the last use of a picture counts; older ones are skipped.
  private var uses: [(request: PictureRequest, stamp: UInt64)] = []
  private var firstUse = 0
  private var clock: UInt64 = 0

  /// The size of the cached pictures in bytes.
  private(set) var byteCount = 0

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes.
  ///   - file: The file for the bytes of the pictures; nil keeps them in memory.
  public init(limit: Int, on file: DecodedPictureFile? = nil) { (self.limit, self.file) = (limit, file) }

  /// The number of cached pictures.
  var count: Int { entries.count }

  /// The cached picture for a request; nil if there is none. Counts as a use.
  public mutating func picture(for request: PictureRequest) -> DrawnPicture? {
    guard let entry = entries[request] else { return nil }
    use(request, entry)
    guard let piece = entry.piece else { return entry.picture }
    return piece.bytes.map { DrawnPicture(columns: entry.picture.columns, rows: entry.picture.rows, bytes: $0) }
  }

  /// Whether a picture is cached. Does not count as a use.
  public func holds(_ request: PictureRequest) -> Bool { entries[request] != nil }

  /// Caches a picture, and evicts others if the limit is exceeded. A picture larger than the limit is not cached.
  public mutating func keep(_ picture: DrawnPicture, for request: PictureRequest) {
    var entry = Entry(picture: picture, size: Self.size(picture, request))
    guard entry.size <= limit else { return }
    if let before = entries.removeValue(forKey: request) { byteCount -= before.size }
    if let piece = file?.keep(picture.bytes) {
      entry.piece = piece
      entry.picture = DrawnPicture(columns: picture.columns, rows: picture.rows, bytes: [])
    }
    byteCount += entry.size
    use(request, entry)
    while byteCount > limit { dropOldest() }
  }

  // The bytes for a terminal are compressed, more or less by format and picture, but people set the limit for decoded
  // pictures. Each picture also has a fixed cost: a thousand tiny ones must not be free.
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
    if uses.count > 2 * entries.count + 64 { removeStaleUses() }
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

  private mutating func removeStaleUses() {
    uses = uses[firstUse...].filter { entries[$0.request]?.stamp == $0.stamp }
    firstUse = 0
  }
}

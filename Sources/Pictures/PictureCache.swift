/// Drawn pictures in memory, limited by the bytes that they take decoded, four a pixel: what was not asked for the
/// longest goes first.
public struct PictureCache: Sendable {
  private struct Entry {
    var picture: DrawnPicture
    var stamp: UInt64
  }

  private let limit: Int
  private var entries: [PictureRequest: Entry] = [:]
  // Every use, oldest first; only the last use of a picture counts, the others are passed over.
  private var uses: [(request: PictureRequest, stamp: UInt64)] = []
  private var firstUse = 0
  private var clock: UInt64 = 0

  /// The bytes that are held.
  private(set) var byteCount = 0

  /// A cache of at most so many bytes.
  public init(limit: Int) { self.limit = limit }

  /// How many pictures are held.
  var count: Int { entries.count }

  /// A picture that is held; this is a use.
  public mutating func picture(for request: PictureRequest) -> DrawnPicture? {
    guard let picture = entries[request]?.picture else { return nil }
    use(request, picture)
    return picture
  }

  /// Holds a picture, and lets others go until there is room; one that is larger than all the room is not held.
  public mutating func keep(_ picture: DrawnPicture, for request: PictureRequest) {
    let size = Self.size(picture, request)
    guard size <= limit else { return }
    if let before = entries[request] { byteCount -= Self.size(before.picture, request) }
    byteCount += size
    use(request, picture)
    while byteCount > limit { dropOldest() }
  }

  // What a terminal is sent is packed, more or less by format and picture: what people set is a size of pictures. One
  // costs more than its pixels: a thousand tiny ones must not be free.
  private static func size(_ picture: DrawnPicture, _ request: PictureRequest) -> Int {
    let pixels = picture.columns * request.cell.width * picture.rows * request.cell.height
    let decoded = request.format == .blocks ? 0 : 4 * pixels
    return max(decoded, picture.bytes.count) + request.path.utf8.count + 256
  }

  private mutating func use(_ request: PictureRequest, _ picture: DrawnPicture) {
    clock += 1
    entries[request] = Entry(picture: picture, stamp: clock)
    uses.append((request, clock))
    if uses.count > 2 * entries.count + 64 { forgetPassedOver() }
  }

  private mutating func dropOldest() {
    while firstUse < uses.count {
      let (request, stamp) = uses[firstUse]
      firstUse += 1
      guard let entry = entries[request], entry.stamp == stamp else { continue }
      byteCount -= Self.size(entry.picture, request)
      entries[request] = nil
      return
    }
  }

  private mutating func forgetPassedOver() {
    uses = uses[firstUse...].filter { entries[$0.request]?.stamp == $0.stamp }
    firstUse = 0
  }
}

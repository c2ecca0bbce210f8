import Blobs

/// The blobs of a library on a server, held to the place that the library knows. A mistyped address, or the place of another
/// library, is refused before a byte is read, written or removed there.
public struct PlacedBlobs: BlobStoring {
  /// The file beside the blobs that says which library's they are.
  public static let identityFile = DiskBlobs.identityFile

  /// The blobs themselves.
  public let base: any BlobPlace
  private let check: PlaceCheck

  /// The blobs at a place. Nothing is asked yet.
  public init(_ base: any BlobPlace) {
    self.base = base
    check = PlaceCheck(base)
  }

  /// Holds the blobs to the place of a library that was opened.
  ///
  /// - Throws: `BlobError` if the library keeps its pictures elsewhere, `StorageError` if it cannot be read.
  public func follow(_ store: Store) throws { try check.follow(store) }

  /// Records the place in the library, as the first picture that is stored does.
  ///
  /// - Throws: `BlobError` if the pictures cannot be there.
  public func claim() throws(BlobError) { try check.expect(isWriting: true) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PlacedBlobs {
  public func draft() throws(BlobError) -> any BlobReceiving {
    try check.expect(isWriting: true)
    return try base.draft()
  }

  public func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept] {
    if drafts.isEmpty { return [] }
    try check.expect(isWriting: true)
    return try base.keep(drafts)
  }

  public func remove(_ blob: BlobInfo) throws(BlobError) -> Bool {
    try check.expect(isWriting: true)
    return try base.remove(blob)
  }

  public func stat(_ id: BlobID) throws(BlobError) -> BlobInfo? {
    try check.expect()
    return try base.stat(id)
  }

  public func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] {
    try check.expect()
    return try base.fetch(id, range)
  }

  public func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo] {
    try check.expect()
    return try base.page(after: last, limit: limit)
  }

  public func localFile(of id: BlobID) -> String? { base.localFile(of: id) }

  public var isThere: Bool { (try? check.expect()) != nil && base.isThere }

  public func condition(of id: BlobID, byteCount: Int?) -> BlobCondition {
    do throws(BlobError) { try check.expect() } catch { return error.condition }
    return base.condition(of: id, byteCount: byteCount)
  }

  public func eachResidue(_ body: (BlobResidue) throws -> Void) throws {
    try check.expect()
    try base.eachResidue(body)
  }

  @discardableResult
  public func removeLeftovers() throws(BlobError) -> Int {
    try check.expect()
    return try base.removeLeftovers()
  }

  @discardableResult
  public func quarantine(_ id: BlobID) throws(BlobError) -> Bool {
    try check.expect(isWriting: true)
    return try base.quarantine(id)
  }

  @discardableResult
  public func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool {
    try check.expect(isWriting: true)
    return try base.quarantine(residue)
  }

  /// It never records the place: repairs call it within a transaction of the library.
  public func appendToQuarantine(_ line: String) throws(BlobError) {
    try check.expect()
    try base.appendToQuarantine(line)
  }
}

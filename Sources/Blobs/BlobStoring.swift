// Stores bytes under their own hash. A blob that has its name is complete, verified and durable.

/// A store of blobs: bytes named by their SHA-256.
///
/// Bytes arrive in drafts. `keep` gives drafts their names, and when it returns the blobs survive a loss of power. A blob
/// never changes. Any number of processes may use the same store at once.
///
/// Calls block until they are done, so they belong on a queue for blocking work. Only a draft's `write` must not wait for
/// a network: a download calls it with every piece. An implementation is held to all of this by `BlobStoreContractTests`.
public protocol BlobStoring: Sendable {
  // MARK: Writing

  /// Creates a draft for bytes that have no name yet. A draft that is dropped leaves nothing behind.
  func draft() throws(BlobError) -> any BlobReceiving

  /// Gives drafts their names. When this returns, the blobs survive a loss of power.
  ///
  /// Keeping bytes that are stored is harmless: nothing is written, and the blob counts as stored at this moment, so that
  /// no `remove` that was decided on before removes it.
  ///
  /// If it throws, some drafts may have their names. Keeping the same bytes again is harmless.
  ///
  /// - Parameter drafts: Drafts of this store.
  /// - Returns: The blobs, in the order of the drafts.
  func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept]

  /// Removes a blob unless it was stored again after `blob` was read.
  ///
  /// A caller reads the blob's information, then decides that nothing needs the blob, then calls this.
  ///
  /// - Parameter blob: What `stat` or `page` returned.
  /// - Returns: Whether it was removed. False if it is absent or was stored again.
  func remove(_ blob: BlobInfo) throws(BlobError) -> Bool

  // MARK: Reading

  /// A blob's length and the time when it was stored; nil if it is absent. It does not read the bytes.
  func stat(_ id: BlobID) throws(BlobError) -> BlobInfo?

  /// Reads a part of a blob.
  ///
  /// - Parameter range: Offsets in bytes. They may lie beyond the end.
  /// - Returns: The bytes in the range; fewer than its length only if the blob ends there.
  /// - Throws: `BlobError.missing` if the blob is absent.
  func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8]

  /// Lists blobs, ordered by name. A blob that is stored or removed meanwhile may be in the list or not; all others are.
  ///
  /// - Parameters:
  ///   - last: The blob to continue after; nil begins.
  ///   - limit: The maximum number of blobs, at least 1.
  /// - Returns: The next blobs. There may be fewer than `limit`; only an empty page is the end.
  func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo]

  /// The path of a file with the blob's bytes, for programs that read files. The file need not exist, and must not be
  /// changed.
  ///
  /// - Returns: The path; nil if the store has no files on this machine. `file(of:in:)` then makes a copy.
  func localFile(of id: BlobID) -> String?

  // MARK: Care

  /// Whether the store itself can be reached, whatever it contains.
  var isThere: Bool { get }

  /// Reads a blob's bytes and compares them with its name, in constant memory.
  ///
  /// - Parameter byteCount: The expected length. nil accepts any.
  func condition(of id: BlobID, byteCount: Int?) -> BlobCondition

  /// Calls `body` with everything in the store that is not a blob. It skips the drafts of living processes.
  func eachResidue(_ body: (BlobResidue) throws -> Void) throws

  /// Removes what interrupted writes left behind. Drafts of living processes stay.
  ///
  /// - Returns: The number of leftovers removed.
  @discardableResult
  func removeLeftovers() throws(BlobError) -> Int

  /// Moves a blob's bytes out of the store into quarantine, where nothing removes or replaces them.
  ///
  /// - Returns: Whether there was something to move.
  @discardableResult
  func quarantine(_ id: BlobID) throws(BlobError) -> Bool

  /// Moves something that is not a blob into quarantine.
  ///
  /// - Returns: Whether it still existed.
  @discardableResult
  func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool

  /// Appends a line to the quarantine's list of rows. When this returns, it survives a loss of power.
  func appendToQuarantine(_ line: String) throws(BlobError)
}

/// A draft of a blob: it receives bytes piece by piece and computes their name. Nothing remains of a draft that is not
/// kept.
///
/// One thread at a time may write. It may pass from thread to thread.
public protocol BlobReceiving: AnyObject, Sendable {
  /// Appends bytes.
  ///
  /// - Throws: `BlobError.io` after `finish` or `discard`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError)

  /// Appends the bytes of an open file, from its beginning to its end. Where the file system can, an empty draft shares
  /// their room with the file until either changes.
  ///
  /// - Parameter file: The file's descriptor. It must be a regular file.
  func append(contentsOf file: Int32) throws(BlobError)

  /// Discards the bytes so far, also after `finish`: the same bytes are about to arrive again.
  func reset() throws(BlobError)

  /// Ends the draft and returns the name and length of its bytes, before it has that name in the store. No more bytes can
  /// be added. Further calls return the same result.
  @discardableResult
  func finish() throws(BlobError) -> (id: BlobID, byteCount: Int)

  /// Reads a part of a finished draft, as `BlobStoring.fetch` does.
  func fetch(_ range: Range<Int>) throws(BlobError) -> [UInt8]

  /// Discards the draft at once instead of with its last reference.
  func discard()
}

/// A blob that has its name.
public struct Kept: Sendable, Hashable {
  /// Its name.
  public let id: BlobID
  /// The number of its bytes.
  public let byteCount: Int
  /// Whether the same bytes were stored before.
  public let wasStored: Bool

  /// The result for one draft.
  public init(id: BlobID, byteCount: Int, wasStored: Bool) {
    (self.id, self.byteCount, self.wasStored) = (id, byteCount, wasStored)
  }
}

/// Why bytes could not be written or read. A location is what people know the store by: a folder, a file, an address.
public enum BlobError: Error, Equatable {
  /// No space, or no quota, is left.
  case full(location: String)
  /// The store is not writable.
  case readOnly(location: String)
  /// No blob of that name is stored.
  case missing(BlobID)
  /// A service that has the store cannot be used. The value says why, and what to do.
  case service(BlobServiceFault)
  /// Any other failure, with the system's message.
  case io(location: String, reason: String)
}

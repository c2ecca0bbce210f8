import Blobs
import FoundationEssentials
import Posts

/// Keeps the library small and whole.
public protocol StoreCare: Sendable {
  /// Verifies everything that is stored, and every byte of every picture. It writes nothing unless it repairs.
  ///
  /// A repair fixes what it can without losing information. It moves wrong bytes to the quarantine of `blobs`, and their
  /// pictures are fetched again. If more pictures have no blob than chance explains, it gives up none.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures. Others may store some meanwhile.
  ///   - plan: How thorough the check is, and whether it repairs.
  ///   - now: When the check begins. It ignores what changes later.
  ///   - isPulling: Whether another process may be storing pictures, whose rows follow.
  ///   - onStep: Receives the progress.
  ///   - found: Receives each finding, and whether it is repaired. What it throws ends the check.
  /// - Returns: The totals.
  func check(
    _ blobs: any BlobStoring,
    _ plan: CheckPlan,
    now: Date,
    isPulling: @escaping @Sendable () -> Bool,
    onStep: (CheckStep) -> Void,
    found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult

  /// The size of the avatar cache in bytes. It is a stored total: the cost does not grow with the library.
  func cacheSize() throws(StorageError) -> Int

  /// Evicts the least recently seen avatars until the cache has at most `limit` bytes. Pictures of posts are never
  /// evicted. The caller must have locked the library's pictures.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes.
  ///   - blobs: The library's pictures.
  ///   - grace: Bytes that were stored since then are left to garbage collection, since another machine may be about to
  ///     store a row of them. The distant future if the lock is all machines'.
  ///   - dryRun: Whether to count only.
  /// - Returns: The evicted avatars and their bytes.
  func trimCache(to limit: Int, in blobs: any BlobStoring, grace: Date, dryRun: Bool) throws -> Garbage

  /// Returns space that the store occupies and does not use, if that is a good part of it.
  ///
  /// Others may read meanwhile, and writers wait. It does nothing where that could damage the store, as on a disk without
  /// space for a copy.
  ///
  /// - Parameters:
  ///   - dryRun: Whether to report only.
  ///   - largest: The largest size, in bytes, of a store for which others may have to wait.
  func compact(
    dryRun: Bool, upTo largest: Int
  ) throws(StorageError) -> Compaction

  /// Removes blobs that `collectGarbage` would remove, by the same rules and without writing to the store, until the store
  /// can be written. The caller must have locked the library's pictures, and collects garbage next.
  ///
  /// A kill may leave the store with pictures whose blobs are gone: those that nothing shows, or only deleted posts.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures.
  ///   - trash: Pictures of posts deleted before this date may be removed.
  ///   - grace: Unused files may be removed if they are older than this date.
  /// - Returns: The bytes freed in `freed`, and in `garbage` what had no row.
  func makeRoom(
    in blobs: any BlobStoring, trash: Date, grace: Date
  ) throws -> (freed: Int, garbage: Garbage)

  /// Removes what nothing needs. The caller must have locked the library's pictures: no pull may be running.
  ///
  /// Posts themselves, their facts and their deletion stay forever. Pictures that have no address to be fetched from
  /// again stay, too. The store forgets a blob before it is removed, so that a kill leaves too many blobs, never too few.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures.
  ///   - trash: Posts deleted before this date lose their pictures.
  ///   - grace: Pictures that nothing shows, and files without a row, are removed if they are older than this date.
  ///   - dryRun: Whether to count only.
  ///   - onStep: Receives the progress.
  /// - Returns: What was freed, or would be.
  func collectGarbage(
    in blobs: any BlobStoring,
    trash: Date,
    grace: Date,
    dryRun: Bool,
    onStep: (GarbageStep) -> Void
  ) throws -> Garbage

  /// Whether stored answers wait for `readVisibilities`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func awaitsVisibilities() throws(StorageError) -> Bool

  /// Looks at the next stored answers of posts of which nobody has looked yet who may see them, and stores what they say.
  ///
  /// Posts that an earlier version stored are looked at in such steps. Each is short, so that other writers go on. Several
  /// processes may do them at once, and whichever ends, the others go on where it stopped.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of posts.
  ///   - visibility: What an answer says; nil if it does not.
  /// - Returns: How far the steps came; nil if there is nothing left to look at.
  /// - Throws: `StorageError` if the library cannot be written.
  func readVisibilities(
    atMost limit: Int, _ visibility: (StoredAnswer) -> Visibility?
  ) throws(StorageError) -> VisibilityProgress?

  /// Whether posts wait for `readWords`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func awaitsWords() throws(StorageError) -> Bool

  /// Adds author, tags and files of the next posts to the search index, which an earlier version left out.
  ///
  /// Each step is short, so that other writers go on. Several processes may do them at once, and whichever ends, the others
  /// go on where it stopped.
  ///
  /// - Parameter limit: The maximum number of posts.
  /// - Returns: Whether there may be more.
  /// - Throws: `StorageError` if the library cannot be written.
  func readWords(atMost limit: Int) throws(StorageError) -> Bool

  // MARK: Copies

  /// What the store holds now. The cost does not grow with the library, but for counting its blobs.
  func state() throws(StorageError) -> StoreState

  /// Copies the store into a folder, as it is at one moment. Others may read and write meanwhile. When this returns, the
  /// copy survives a loss of power.
  ///
  /// A store on a server throws `StorageError.copiedByServer`: its records can be merged into another store.
  ///
  /// A copy is a store of its own: once the blobs that it names are beside it, its folder is a library.
  ///
  /// - Parameters:
  ///   - folder: A folder without a store. If the copy fails, it holds none either.
  ///   - onStep: Receives how much is copied, of how much.
  /// - Returns: The state of the copy.
  func copy(to folder: String, onStep: (_ done: Int, _ known: Int) -> Void) throws(StorageError) -> StoreState

  /// The blobs that the store names, ordered by name; their headers are left out.
  ///
  /// - Parameters:
  ///   - last: The blob to continue after; nil begins.
  ///   - limit: The maximum number.
  func blobs(after last: BlobID?, limit: Int) throws(StorageError) -> [StoredBlob]

  /// Whether a picture, a file or an avatar that counts as stored has this blob.
  func isShown(_ blob: BlobID) throws(StorageError) -> Bool
}

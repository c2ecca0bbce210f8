import Blobs
import FoundationEssentials
import Posts

/// Keeps the state of each picture: pending, stored, failed with a time to try again, skipped, or gone.
///
/// A task (`PictureTask`) is a snapshot. A result for a picture that changed meanwhile is dropped, so a late result never
/// replaces a newer picture. All times are the caller's.
public protocol PictureQueue: Sendable {
  /// The picture of an attachment.
  ///
  /// - Parameter id: The attachment's number, as `StoredAttachment.id`.
  /// - Returns: The picture; nil if no attachment has the number.
  /// - Throws: `StorageError` if the library cannot be read.
  func picture(ofAttachment id: Int64) throws(StorageError) -> AttachmentPicture?

  /// A post as its server sent it, in which some pictures stand.
  ///
  /// - Parameter post: The post's number.
  /// - Returns: The bytes; nil if the library has none.
  /// - Throws: `StorageError` if the library cannot be read.
  func raw(ofPost post: Int64) throws(StorageError) -> [UInt8]?

  /// A stored blob: its length, and the type that was detected when it was stored.
  ///
  /// - Parameter id: The name of the bytes.
  /// - Returns: The blob; nil if the library has none of that name. Its file may be missing all the same.
  /// - Throws: `StorageError` if the library cannot be read.
  func blob(_ id: BlobID) throws(StorageError) -> StoredBlob?

  /// The pictures of posts that are neither stored nor skipped, each with the reason.
  func missingPictures(ofPosts posts: [Int64]) throws(StorageError) -> [Finding]

  /// The missing pictures of a feed's posts.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - which: Which missing pictures.
  ///   - now: The current time.
  /// - Returns: A task for each picture.
  /// - Throws: `StorageError` if the library cannot be read.
  func missingPictures(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask]

  /// Whether a feed's posts have pictures that were never tried and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func hasUntriedPictures(of feed: Feed, now: Date) throws(StorageError) -> Bool

  /// The number of a feed's pictures that are missing and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func countOfMissingPictures(of feed: Feed, now: Date) throws(StorageError) -> Int

  /// The number of missing pictures by feed. Reads all missing pictures.
  ///
  /// - Parameters:
  ///   - which: Which missing pictures.
  ///   - feed: A feed, or nil for all feeds.
  ///   - now: The current time.
  /// - Returns: The numbers by the feeds' names, without feeds that miss none.
  /// - Throws: `StorageError` if the library cannot be read.
  func countsOfMissingPictures(
    _ which: MissingPictures, of feed: Feed?, now: Date
  ) throws(StorageError) -> [String: Int]

  /// The number of pictures of the whole library that are missing and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func countOfMissingPictures() throws(StorageError) -> Int

  /// The missing avatars of the authors of a feed's posts, by the same rules as `missingPictures`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func missingAvatars(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask]

  /// The pictures of posts that are to be fetched: pending ones, skipped ones, and failed ones that are due. Deleted
  /// posts have none.
  ///
  /// - Parameters:
  ///   - posts: The posts' numbers; the result keeps their order.
  ///   - retryFailed: Whether all failed pictures are included, due or not.
  ///   - gone: Whether gone pictures are included. nil means the value of `retryFailed`.
  ///   - skipped: Whether skipped pictures are included.
  ///   - now: The time by which they are due.
  func pictures(
    ofPosts posts: [Int64],
    retryFailed: Bool,
    gone: Bool?,
    skipped: Bool,
    now: Date
  ) throws(StorageError) -> [PictureTask]

  /// The pictures of the whole library that are due: what an interrupted pull left, and what failed before. Skipped
  /// ones are not included.
  ///
  /// - Parameters:
  ///   - limit: The maximum number.
  ///   - now: The time by which they are due.
  /// - Returns: The tasks in no particular order.
  func duePictures(limit: Int, now: Date) throws(StorageError) -> [PictureTask]

  /// The avatars of the authors of posts that are to be fetched, by the same rules, each once.
  func avatars(
    ofPosts posts: [Int64],
    retryFailed: Bool,
    now: Date
  ) throws(StorageError) -> [PictureTask]

  /// Records stored pictures in one transaction. Skips a task whose owner is gone or has another picture by now.
  func attach(_ pictures: [(task: PictureTask, blob: StoredBlob)], now: Date) throws(StorageError)

  /// Records failed downloads in one transaction: when to try again, or that the picture is gone, which takes two
  /// attempts a day apart. Skips a failure whose owner has another picture by now.
  ///
  /// - Returns: How many pictures of posts are gone.
  @discardableResult
  func fail(_ failures: [PictureFailure], now: Date) throws(StorageError) -> Int

  /// Records pictures that their host delays, in one transaction. A delay is not a failed attempt.
  func putOff(_ delays: [PictureDelay], now: Date) throws(StorageError)

  /// Whether a pull that reads a feed's newest page again would fetch pictures of known posts: skipped ones, and failed
  /// ones that are due.
  func wantsPicturesAgain(of feed: Feed, now: Date) throws(StorageError) -> Bool

  /// Records that the avatars of these posts' authors were seen today, so that they are not evicted next. It writes
  /// each avatar at most once a day.
  func useAvatars(ofPosts posts: [Int64], now: Date) throws(StorageError)
}

import FoundationEssentials
import Harvest
import MediaLibrary

/// How far the download of an attachment's picture has come.
public enum PictureProgress: Sendable, Hashable {
  /// It is not downloaded yet. `nextTry` is nil unless its host accepts no requests before that time.
  case pending(nextTry: Date?)
  /// Its bytes are stored and verified, under this name.
  case stored(BlobID)
  /// The last attempt failed. `count` is the number of failed attempts, `nextTry` when it is tried again at the earliest.
  case failed(count: Int, nextTry: Date?, reason: String)
  /// Its server says that it no longer exists, twice and a day apart. It is not tried again by itself.
  case gone
  /// The pull that brought the post wanted no pictures.
  case skipped

  init(_ picture: AttachmentPicture) {
    self =
      switch picture.state {
      case .pending: .pending(nextTry: picture.nextTryAt)
      case .stored: picture.blob.map(PictureProgress.stored) ?? .pending(nextTry: nil)
      case .failed:
        .failed(count: picture.attempts, nextTry: picture.nextTryAt, reason: picture.failure ?? "the reason is unknown")
      case .gone: .gone
      case .skipped: .skipped
      }
  }
}

/// The pictures of a library's posts, by attachment.
public struct LibraryPictures: Sendable {
  private let library: Library
  private let pulls: PullComposer

  init(library: Library, pulls: PullComposer) { (self.library, self.pulls) = (library, pulls) }

  /// How far a picture's download has come.
  ///
  /// - Parameter attachment: The attachment's number, as `StoredAttachment.id`.
  /// - Returns: Its progress; nil if no attachment has the number.
  /// - Throws: `StorageError` if the library cannot be read.
  public func progress(of attachment: Int64) throws(StorageError) -> PictureProgress? {
    try library.store.picture(ofAttachment: attachment).map(PictureProgress.init)
  }

  /// Waits while a picture is pending. Any process may download it: this one by `download` or by an update, or another.
  ///
  /// - Parameters:
  ///   - attachment: The attachment's number, as `StoredAttachment.id`.
  ///   - throughFailures: Whether to wait on while failed attempts are to be repeated, and for a skipped picture.
  /// - Returns: Its progress, which is not `pending`; with `throughFailures`, `stored` or `gone`.
  /// - Throws: `PullSessionError.noAttachment` if no attachment has the number, or no longer; `.closed` if the library is
  ///   closed meanwhile; `CancellationError` if the task is cancelled; `StorageError` if the library cannot be read.
  public func wait(for attachment: Int64, throughFailures: Bool = false) async throws -> PictureProgress {
    for try await progress in library.values(of: { try $0.picture(ofAttachment: attachment).map(PictureProgress.init) })
    {
      switch progress {
      case nil: throw PullSessionError.noAttachment(attachment)
      case .stored?, .gone?: return progress ?? .gone
      case .failed?, .skipped?: if !throughFailures, let progress { return progress }
      case .pending?: continue
      }
    }
    try Task.checkCancellation()
    throw PullSessionError.closed
  }

  /// Downloads the pictures of posts that are missing: pending ones, and failed ones that are due.
  ///
  /// - Parameters:
  ///   - posts: The posts' numbers.
  ///   - retryFailed: Whether failed pictures are tried at once, due or not.
  /// - Throws: What stops all downloads, such as a full disk. A picture that fails throws nothing.
  public func download(ofPosts posts: [Int64], retryFailed: Bool = false) async throws {
    try await pulls.picturePull().run(posts, retryFailed: retryFailed)
  }
}

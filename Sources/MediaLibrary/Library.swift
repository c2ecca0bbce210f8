import Blobs
import FetchedResults
import FoundationEssentials
import Posts
import Storage

/// A library of posts and pictures, which any number of processes may have open at the same time.
///
/// This type has the everyday operations. They take their dates from the clock passed to `init`, which is the system's
/// unless a test needs another; in a library on a server, corrected to the server's. `store` has all other
/// operations. Copies of the value refer to the same library.
public struct Library: Sendable {
  /// The path of the library's folder. Pulls keep their locks there.
  public let folder: String
  /// Its posts.
  public let store: Store
  /// The bytes of its pictures, by `StoredAttachment.blob`.
  public let blobs: any BlobStoring
  package let now: @Sendable () -> Date
  /// Whether its person's lists show posts that are the same at several networks once.
  package var foldsLists = false
  /// The languages in which text in pictures is read: nil if that is not known, an empty text if none is read.
  package var textLanguages: String?
  /// The clock of a library on a server.
  private var clock: LibraryClock?

  /// Opens the library in a folder: `Library(in: path)`.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder. It is created if it is missing.
  ///   - purpose: Whether the library is opened for reading or for writing. If it is opened for reading and is missing,
  ///     it is empty and never changes.
  ///   - now: The clock.
  /// - Throws: The same errors as `Store.open`.
  public init(
    in folder: String,
    for purpose: Store.Purpose = .writing,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(StorageError) {
    self.init(
      store: try Store.open(library: folder, for: purpose, now: now()), blobs: DiskBlobs(library: folder),
      folder: folder, now: now)
  }

  /// Opens the library at an address: `postgresql://host/library`.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - blobs: The bytes of the pictures, where `address.blobs` says.
  ///   - folder: The path of a folder of this machine, for what pulls share: their locks.
  ///   - purpose: Whether the library is opened for reading or for writing.
  ///   - now: This machine's clock. Machines that share a library go by the clock of its server, which is asked once.
  /// - Throws: The same errors as `Store.open`, and `BlobError` if the library keeps its pictures elsewhere.
  public init(
    at address: LibraryAddress,
    blobs: any BlobStoring,
    folder: String,
    for purpose: Store.Purpose = .writing,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let (store, clock) = (try Store.open(library: address, for: purpose), LibraryClock(now))
    let placed = blobs as? PlacedBlobs ?? (blobs as? any BlobPlace).map { PlacedBlobs($0) }
    self.init(store: store, blobs: placed ?? blobs, folder: folder, now: { clock.now() })
    self.clock = clock
    do {
      try placed?.follow(store)
      try correctClock()
    } catch {
      close()
      throw error
    }
  }

  /// Creates a library over a store and blobs, wherever they keep posts and pictures. Who passes a store does not close
  /// it: `close` does.
  ///
  /// - Parameters:
  ///   - store: The posts.
  ///   - blobs: The bytes of the pictures.
  ///   - folder: The path of a folder of this machine, for what pulls share: their locks.
  ///   - now: The clock.
  public init(store: Store, blobs: any BlobStoring, folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
    (self.store, self.blobs) = (store, blobs)
    (self.folder, self.now) = (folder, now)
  }

  /// Asks the server of a library for its time once more: clocks drift apart, and are set.
  package func correctClock() throws(StorageError) {
    if let clock, let leases = store.leases { try clock.follow(leases) }
  }

  /// Closes the library, and ends its observations. If the process exits without closing, the next open runs an
  /// integrity check.
  public func close() { store.close() }

  // MARK: Writing

  /// Stores pages of a feed as one pull from the feed's top. Each page has its own transaction.
  ///
  /// - Parameters:
  ///   - pages: The pages, newest first.
  ///   - feed: The feed.
  ///   - pictures: Whether a later pull downloads the pictures of the posts.
  /// - Returns: The result of each page.
  /// - Throws: `StorageError.overtaken` if another pull of the same feed came in between. Earlier pages stay stored.
  @discardableResult
  public func save(_ pages: [Page], of feed: Feed, pictures: Bool = true) throws(StorageError) -> [Saved] {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: pages.count), now: now())
    var saved: [Saved] = []
    for page in pages { saved.append(try store.save(page, in: pull, pictures: pictures, now: now())) }
    try store.finishPull(pull, reached: true, now: now())
    return saved
  }

  /// Stores plain posts of a feed, as one page from the feed's top. What is older than them stays unknown.
  ///
  /// - Parameters:
  ///   - posts: The posts, newest first.
  ///   - feed: The feed.
  ///   - pictures: Whether a later pull downloads the pictures of the posts.
  /// - Returns: What was new, updated and unchanged.
  /// - Throws: `StorageError.overtaken` if another pull of the same feed came in between.
  @discardableResult
  public func save(_ posts: [Post], of feed: Feed, pictures: Bool = true) throws(StorageError) -> Saved {
    let items = posts.map { PageItem(id: $0.remoteID ?? $0.uri, content: .post($0), raw: []) }
    return try save([Page(items: items, next: .horizon)], of: feed, pictures: pictures).first ?? Saved()
  }

  /// Stores a post made by hand.
  ///
  /// - Parameters:
  ///   - caption: Its text.
  ///   - title: Its headline.
  ///   - time: When it begins; now if nil.
  ///   - tags: Its tags.
  ///   - files: The contents of the files attached to it.
  /// - Returns: The number of the post.
  /// - Throws: `BlobError` if a file cannot be kept, `StorageError` if the post cannot be stored.
  @discardableResult
  public func add(
    caption: String, title: String? = nil, at time: Date? = nil, tags: [String] = [], attaching files: [[UInt8]] = []
  ) throws -> Int64 {
    let drafts = try files.map { bytes in
      let draft = try blobs.draft()
      try bytes.withUnsafeBytes { try draft.write($0) }
      _ = try draft.finish()
      return draft
    }
    let post = Post(
      source: .manual, uri: "", createdAt: time ?? now(), title: title, caption: caption, tags: tags.map(Feed.tagName))
    return try add(post, attaching: drafts)
  }

  /// Stores a post made by hand.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - id: Its identity. Adding a post with the same id again stores the same post.
  /// - Returns: The number of the post.
  @discardableResult
  public func add(_ post: Post, id: UUID) throws(StorageError) -> Int64 { try store.add(post, id: id, now: now()) }

  /// Deletes posts. Deleted posts are hidden, and stay hidden when they are pulled again.
  ///
  /// - Parameter ids: The numbers of the posts.
  /// - Returns: The posts that changed. A number that no post has is not an error: it is in `Deletion.unknown`, and the other
  ///   posts are deleted all the same.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func delete(_ ids: [Int64]) throws(StorageError) -> Deletion { try store.delete(ids, now: now()) }

  /// Restores deleted posts.
  ///
  /// - Parameter ids: The numbers of the posts.
  /// - Returns: The posts that changed, and the numbers that no post has.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func restore(_ ids: [Int64]) throws(StorageError) -> Deletion { try store.restore(ids, now: now()) }

  // MARK: Reading

  /// A controller for a window over a list of posts. It reports every change in the window, whichever process makes it.
  ///
  /// The controller holds only the rows of the window, and observes from `performFetch` on. It retains the library's
  /// store. Its readers end when the library is closed.
  public func results(of list: PostListQuery, window: Window<PostKey> = Window(after: 50)) -> PostResults {
    PostResults(window: window) { [store] window in
      let readings = store.observe(list, around: window.anchor, before: window.before, after: window.after)
      return AsyncThrowingStream {
        // All iterators of the stream share the same readings.
        var reader = readings.makeAsyncIterator()
        return try await reader.next().map { Snapshot($0) }
      }
    }
  }

  /// The first rows of a list at once. `lookedTo` tells where only the newest posts were looked through for them.
  public func glance(of list: PostListQuery, after: Int = 50) throws(StorageError) -> Snapshot<ListedPost> {
    Snapshot(try store.glance(list, after: after))
  }

  /// The current rows of a window over a list.
  public func snapshot(
    of list: PostListQuery,
    window: Window<PostKey> = Window(after: 50)
  ) throws(StorageError) -> Snapshot<ListedPost> {
    Snapshot(try store.window(list, around: window.anchor, before: window.before, after: window.after))
  }
}

/// A controller for a window over a list of posts.
public typealias PostResults = FetchedResultsController<ListedPost, PostKey>

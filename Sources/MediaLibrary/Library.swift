import Blobs
import FetchedResults
import Foundation
import Posts
import Storage

/// A library of posts and pictures: one folder, which any number of processes may have open at once.
///
/// Here is what an application does day by day; it dates what is done by the clock that it was opened with. `store` has
/// everything else. A value: copies speak to the same library.
public struct Library: Sendable {
  /// Where it lies.
  public let folder: String
  /// Its posts.
  public let store: Store
  /// The files of its pictures, by `StoredAttachment.blob`.
  public let blobs: DiskBlobs
  private let now: @Sendable () -> Date

  /// Opens the library in a folder, which is made where it is missing; `now` is the clock: `Library(in: path) { Date() }`.
  ///
  /// To read alone, a library that is missing is empty, and does not change. Throws as `Store.open` does.
  public init(
    in folder: String,
    for purpose: Store.Purpose = .writing,
    now: @escaping @Sendable () -> Date
  ) throws(StorageError) {
    store = try Store.open(library: folder, for: purpose, now: now())
    blobs = DiskBlobs(library: folder)
    self.folder = folder
    self.now = now
  }

  /// Closes the library, and ends whatever looks at it. Whoever leaves it open leaves it to be checked by the next.
  public func close() { store.close() }

  // MARK: Writing

  /// Stores pages of a feed, the newest first, as one walk from the feed's top: each page whole, in a transaction of its
  /// own. `pictures` says whether a later pull is to fetch their pictures.
  ///
  /// Throws `StorageError.overtaken` where another walk of the same feed came between; pages before it stay.
  @discardableResult
  public func save(_ pages: [Page], of feed: Feed, pictures: Bool = true) throws(StorageError) -> [Saved] {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: pages.count), now: now())
    var saved: [Saved] = []
    for page in pages { saved.append(try store.save(page, in: pull, pictures: pictures, now: now())) }
    try store.finishPull(pull, reached: true, now: now())
    return saved
  }

  /// Stores a post made by hand, and returns its number. `id` is its identity: the same one again is the same post.
  @discardableResult
  public func add(_ post: Post, id: UUID) throws(StorageError) -> Int64 { try store.add(post, id: id, now: now()) }

  /// Deletes posts: they are hidden, and stay so when they are pulled again.
  @discardableResult
  public func delete(_ ids: [Int64]) throws(StorageError) -> Deletion { try store.delete(ids, now: now()) }

  /// Brings deleted posts back.
  @discardableResult
  public func restore(_ ids: [Int64]) throws(StorageError) -> Deletion { try store.restore(ids, now: now()) }

  // MARK: Looking

  /// A list of posts that is looked at through a window, and tells of every change of what the window shows, whichever
  /// process made it.
  ///
  /// It holds the rows of the window alone, and looks from `performFetch` on. It keeps the library's store; its readers
  /// end when the library is closed.
  public func results(of list: PostListQuery, window: Window<PostKey> = Window(after: 50)) -> PostResults {
    PostResults(window: window) { [store] window in
      let readings = store.observe(list, around: window.anchor, before: window.before, after: window.after)
      return AsyncThrowingStream {
        // All iterators of the stream take from the same readings.
        var reader = readings.makeAsyncIterator()
        return try await reader.next().map { Snapshot($0, of: list) }
      }
    }
  }

  /// What a window of a list shows now.
  public func snapshot(
    of list: PostListQuery,
    window: Window<PostKey> = Window(after: 50)
  ) throws(StorageError) -> Snapshot<ListedPost> {
    Snapshot(try store.window(list, around: window.anchor, before: window.before, after: window.after), of: list)
  }
}

/// A list of posts that is looked at through a window.
public typealias PostResults = FetchedResultsController<ListedPost, PostKey>

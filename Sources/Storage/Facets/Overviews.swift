import FoundationEssentials
import Posts

/// Counts what pages and pictures of a library show beside its posts.
///
/// Every call reads one snapshot. All counts are exact, and leave out deleted posts unless the list shows them.
public protocol Overviews: Sendable {
  /// The months in which a list has posts, newest first.
  ///
  /// The cost grows with the list, by some fifty nanoseconds a post. That of a list with several conditions, of a search
  /// and of deleted posts is some microseconds a post.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - zone: The time zone of the months.
  /// - Throws: `StorageError` if the library cannot be read.
  func months(of list: PostListQuery, in zone: TimeZone) throws(StorageError) -> [PostMonth]
}

extension Store: Overviews {}

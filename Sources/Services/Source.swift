import Posts

/// A kind of remote service: converts a feed and a cursor to a page of posts.
public protocol Source: Sendable {
  /// Fetches the page after `cursor`, newest first. Calling it twice is harmless.
  ///
  /// - Parameter cursor: nil starts at the newest post.
  /// - Parameter size: The requested number of posts; nil requests the source's maximum.
  func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page

  /// Fetches the page after `cursor` for a source that uses the record of an earlier visit. If nothing changed since,
  /// the first page has no items and ends at the horizon. Without `visit`, the page is always read.
  func page(of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?) async throws(SourceError) -> Page

  /// Fetches the page just above the item with this id, newest first. Returns nil if the source only reads downward.
  ///
  /// Some servers return the newest page instead: the caller must check whether the page reaches down to the id.
  func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page?

  /// The cursor for the posts below the item with this id; nil if the source's cursors are not ids.
  func cursor(below id: String) -> Cursor?

  /// The most posts in one lookup; nil if posts cannot be looked up again.
  var mostLookedUp: Int? { get }

  /// Looks up posts by this server's ids, at most `mostLookedUp`.
  ///
  /// Only a post that the server itself reports as missing is gone. A refusal or a malformed answer is an error. An id
  /// that the answer does not mention stays undecided.
  func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult
}

extension Source {
  /// Reads the page, whatever an earlier visit recorded.
  public func page(
    of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?
  ) async throws(SourceError) -> Page {
    try await page(of: feed, after: cursor, size: size)
  }

  /// nil: this source only reads downward.
  public func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? { nil }

  /// nil: this source's cursors are not ids.
  public func cursor(below id: String) -> Cursor? { nil }

  /// nil: this source shows posts in its feeds alone.
  public var mostLookedUp: Int? { nil }

  /// Leaves every id open.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult { LookupResult() }
}

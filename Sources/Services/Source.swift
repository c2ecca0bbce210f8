import Posts

/// One kind of remote service: turns a feed and a cursor into a page of posts.
public protocol Source: Sendable {
  /// The page after `cursor`, newest first; nil starts at the newest. Asking twice is harmless.
  ///
  /// `size` is the wish for posts a page; nil asks for the most the source allows.
  func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page

  /// The page after `cursor`, for a source that can make use of what an earlier visit left: where nothing has changed
  /// since, the first page has no items and ends at the horizon. Without `visit` it is read whatever it was.
  func page(of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?) async throws(SourceError) -> Page

  /// The page just above the item with this id, newest first like any other; nil where the source only walks down.
  ///
  /// Some servers take the wish for the page just above as one for the newest page: whether the page reaches down to
  /// the id is for the caller to see.
  func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page?

  /// The cursor to what lies below the item with this id; nil where the source's cursors are no ids.
  func cursor(below id: String) -> Cursor?

  /// The most posts that are looked up at once; nil where posts cannot be looked up again.
  var mostLookedUp: Int? { get }

  /// What has become of posts, by this server's ids of them, at most `mostLookedUp`.
  ///
  /// Only what the server itself says is there no longer counts as gone. Being refused is an error, and so is an answer
  /// that makes no sense; an id about which nothing is said is left open.
  func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp
}

extension Source {
  /// The same page whatever an earlier visit left.
  public func page(
    of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?
  ) async throws(SourceError) -> Page {
    try await page(of: feed, after: cursor, size: size)
  }

  /// nil: this source only walks down.
  public func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? { nil }

  /// nil: this source's cursors are no ids.
  public func cursor(below id: String) -> Cursor? { nil }

  /// nil: this source shows posts in its feeds alone.
  public var mostLookedUp: Int? { nil }

  /// Leaves every id open.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookedUp { LookedUp() }
}

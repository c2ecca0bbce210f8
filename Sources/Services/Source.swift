import Posts

/// One kind of remote service: turns a feed and a cursor into a page of posts.
public protocol Source: Sendable {
  /// The page after `cursor`, newest first; nil starts at the newest. Asking twice is harmless.
  ///
  /// `size` is the wish for posts a page; nil asks for the most the source allows.
  func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page
}

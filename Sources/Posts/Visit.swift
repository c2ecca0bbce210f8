/// What a visit to a feed document must keep for the next one, which reads the document only if it changed, and follows
/// its moves.
public struct Visit: Hashable, Sendable {
  /// The address to request: the feed's own, until the document has moved permanently.
  public var address: String
  /// The final address after all redirects.
  public var location: String
  /// `ETag` of the answer there, verbatim.
  public var entityTag: String?
  /// `Last-Modified` of the answer there, verbatim.
  public var lastModified: String?
  /// The target of a permanent redirect that was seen once. Seen twice in a row, it becomes the address.
  public var moving: String?
  /// The document's title.
  public var title: String?

  /// Creates the state of a visit, for the next request of the same document.
  public init(
    address: String, location: String, entityTag: String? = nil, lastModified: String? = nil, moving: String? = nil,
    title: String? = nil
  ) {
    self.address = address
    self.location = location
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.moving = moving
    self.title = title
  }

  /// The visit without what is known of the content, so that the next one gets the whole document.
  public var forgettingContent: Visit {
    Visit(address: address, location: location, moving: moving, title: title)
  }
}

/// What a visit to a document has left for the next one: it is read again only where it changed, and followed where it
/// moves.
public struct Visit: Hashable, Sendable {
  /// Where the document is asked for: where the feed said it lies, until it has moved for good.
  public var address: String
  /// Where the visit found it in the end.
  public var place: String
  /// `ETag` of the answer there, verbatim.
  public var entityTag: String?
  /// `Last-Modified` of the answer there, verbatim.
  public var lastModified: String?
  /// Where it has moved for good, said once; said twice in a row, it becomes the address.
  public var moving: String?
  /// What the document calls itself.
  public var title: String?

  /// A visit from its parts.
  public init(
    address: String, place: String, entityTag: String? = nil, lastModified: String? = nil, moving: String? = nil,
    title: String? = nil
  ) {
    self.address = address
    self.place = place
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.moving = moving
    self.title = title
  }

  /// The visit as if nothing were known of what was read: the document comes whole.
  public var forgettingContent: Visit {
    Visit(address: address, place: place, moving: moving, title: title)
  }
}

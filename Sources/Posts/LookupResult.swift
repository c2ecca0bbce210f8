/// A server's answer to a lookup of posts by its own ids.
///
/// If an id is in neither list, the server did not answer for it, and nothing may be concluded.
public struct LookupResult: Sendable {
  /// The posts that the server returned, each with the requested id.
  public var shown: [PageItem]
  /// The ids of posts that the server says no longer exist.
  public var gone: [String]

  /// Creates a result; by default an empty one.
  public init(shown: [PageItem] = [], gone: [String] = []) {
    self.shown = shown
    self.gone = gone
  }

  /// Appends the requested items of a page, each once. Other items are ignored.
  ///
  /// - Parameters:
  ///   - items: The items of the page.
  ///   - ids: The requested ids.
  public mutating func append(_ items: [PageItem], requested ids: [String]) {
    for item in items {
      guard let id = item.id, ids.contains(id), !shown.contains(where: { $0.id == id }) else { continue }
      shown.append(item)
    }
  }
}

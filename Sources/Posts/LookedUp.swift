/// What a server says of posts that it was asked for by its own ids of them.
///
/// An id that is in neither list was left open: nothing follows from it.
public struct LookedUp: Sendable {
  /// The posts it shows, each under the id that was asked for.
  public var shown: [PageItem]
  /// The ids of those that it says are there no longer.
  public var gone: [String]

  /// An answer from its parts; one that says nothing unless told otherwise.
  public init(shown: [PageItem] = [], gone: [String] = []) {
    self.shown = shown
    self.gone = gone
  }

  /// Takes those of a page's items that were asked for, each once; what else a server sends is passed over.
  public mutating func take(_ items: [PageItem], askedFor ids: [String]) {
    for item in items {
      guard let id = item.id, ids.contains(id), !shown.contains(where: { $0.id == id }) else { continue }
      shown.append(item)
    }
  }
}

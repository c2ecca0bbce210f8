import Posts

/// The items of a page, each read by itself: one that makes no sense costs nothing but itself.
enum PageItems {
  /// The items at these places of a body. What is longer than a post may be, and what `read` makes nothing of, is kept as
  /// it came and is no `what`. Many can take a while, so that a stopped pull is looked for between.
  static func read(
    _ places: [Range<Int>],
    in body: [UInt8],
    as what: String,
    _ read: ([UInt8]) -> PageItem?
  ) throws(SourceError) -> [PageItem] {
    var items: [PageItem] = []
    for place in places {
      if Task.isCancelled { throw .cancelled }
      let raw = Array(body[place])
      let isShort = raw.count <= Bounds.post
      let reason = isShort ? "it is no \(what)" : "it is longer than \(Bounds.post) bytes"
      let item = isShort ? read(raw) : nil
      items.append(item ?? PageItem(id: nil, content: .unreadable(reason: reason), raw: raw))
    }
    return items
  }
}

import HTTP
import Posts

/// The items of a page, each parsed by itself, so that a malformed one affects no other.
enum PageItems {
  /// The number of items parsed serially, in some two milliseconds: waking other threads costs more than it saves.
  private static let chunkSize = 40
  /// Maximum number of chunks parsed concurrently. A page of a thousand keeps some cores busy and leaves others free.
  private static let maxConcurrentChunks = 4

  /// Parses the items at these ranges of a body. Items longer than a post may be, or that `read` rejects, are kept as
  /// received with `what` as the fault. No item holds the token. Many items can take a while, so cancellation is
  /// checked between them.
  static func read(
    _ ranges: [Range<Int>],
    in body: [UInt8],
    as what: String,
    hiding token: Secret?,
    _ read: @escaping @Sendable ([UInt8]) -> PageItem?
  ) async throws(SourceError) -> [PageItem] {
    let search = SecretSearch(token)
    let read: @Sendable ([UInt8]) -> PageItem? = { read($0)?.hiding(search) }
    if ranges.count <= chunkSize {
      let items = Self.items(at: ranges[...], in: body, as: what, read)
      if Task.isCancelled { throw .cancelled }
      return items
    }
    let starts = Array(stride(from: 0, to: ranges.count, by: chunkSize))
    let parts = await withTaskGroup(of: (Int, [PageItem]).self) { group in
      var parts = Array(repeating: [] as [PageItem], count: starts.count)
      for (part, start) in starts.enumerated() {
        if part >= maxConcurrentChunks, let (ended, items) = await group.next() { parts[ended] = items }
        group.addTask {
          (part, Self.items(at: ranges[start..<min(start + chunkSize, ranges.count)], in: body, as: what, read))
        }
      }
      for await (ended, items) in group { parts[ended] = items }
      return parts
    }
    if Task.isCancelled { throw .cancelled }
    return parts.flatMap(\.self)
  }

  /// The items at some of the ranges; not all if the pull was cancelled.
  private static func items(
    at ranges: ArraySlice<Range<Int>>, in body: [UInt8], as what: String, _ read: ([UInt8]) -> PageItem?
  ) -> [PageItem] {
    var items: [PageItem] = []
    for range in ranges where !Task.isCancelled {
      let raw = Array(body[range])
      let isShort = raw.count <= Bounds.post
      let reason = isShort ? "it is not a \(what)" : "it is longer than \(Bounds.post) bytes"
      let item = isShort ? read(raw) : nil
      items.append(item ?? PageItem(id: nil, content: .unreadable(reason: reason), raw: raw))
    }
    return items
  }
}

import Blobs
import FoundationEssentials
import Storage

/// Writes posts made by hand as a diary or as a calendar.
public struct EntryDocument {
  private var export: EntryExport
  private let calendar: ICalendarWriter?
  private var diary = DiaryWriter()
  private var entries = 0

  /// The number of posts that are read at once.
  private static let batch = 100

  /// - Parameters:
  ///   - uris: The URIs of all posts made by hand.
  ///   - format: `diary` or `ics`.
  ///   - blobs: The pictures of the library; nil if files are not wanted.
  ///   - version: The version of the program.
  public init(uris: [String], format: TransferFormat, blobs: (any BlobStoring)?, version: String) {
    export = EntryExport(uris: uris, blobs: blobs)
    calendar = format == .ics ? ICalendarWriter(version: version) : nil
  }

  /// Writes the entries.
  ///
  /// - Parameters:
  ///   - query: The posts to choose from; nil for all that were made by hand.
  ///   - ids: The numbers of those, in their order.
  ///   - store: The library.
  ///   - takes: Whether a post is written.
  ///   - write: Takes the document's next bytes.
  /// - Returns: The number of entries, and of files that were left out.
  /// - Throws: `StorageError`, or what `write` throws.
  public mutating func write(
    _ query: PostQuery?, _ ids: [Int64], from store: Store,
    where takes: (StoredPost) -> Bool = { _ in true }, to write: ([UInt8]) throws -> Void
  ) throws -> (entries: Int, filesLeftOut: Int) {
    if let calendar { try write(calendar.begin()) }
    if let query {
      try store.eachPost(query) { if $0.isManual, takes($0) { try write(bytes(of: $0)) } }
    } else {
      for start in stride(from: 0, to: ids.count, by: Self.batch) {
        let posts = try store.posts(numbered: Array(ids[start..<min(start + Self.batch, ids.count)]))
        for post in posts where takes(post) { try write(bytes(of: post)) }
      }
    }
    try write(calendar?.end() ?? diary.end())
    return (entries, export.filesLeftOut)
  }

  private mutating func bytes(of post: StoredPost) -> [UInt8] {
    entries += 1
    let entry = export.entry(of: post)
    if let calendar { return calendar.write(entry, changed: post.updatedAt) }
    return diary.write(entry, id: export.number(of: post))
  }
}

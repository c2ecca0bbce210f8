import Blobs
import Storage

/// Compares two libraries by the identity of what they hold. Numbers may differ, relations may not.
public struct LibraryComparison {
  /// A difference.
  public struct Difference: Sendable, Equatable, CustomStringConvertible {
    /// What differs.
    public enum Kind: Sendable, Equatable {
      /// The first library does not have it.
      case onlyInSecond
      /// The second library does not have it.
      case onlyInFirst
      /// Both have it, and these parts of it differ.
      case parts([String])
    }
    /// `post https://…`, `feed tag:cats@mastodon.social`.
    public let what: String
    /// How it differs.
    public let kind: Kind

    /// One line.
    public var description: String {
      switch kind {
      case .onlyInFirst: "\(what): only here"
      case .onlyInSecond: "\(what): only there"
      case .parts(let parts): "\(what): \(parts.joined(separator: ", ")) differ\(parts.count == 1 ? "s" : "")"
      }
    }
  }

  private let first: Store
  private let second: Store
  private let blobs: (first: any BlobStoring, second: any BlobStoring)
  private static let page = 250
  /// The part that differs where one library lacks bytes that it says it has.
  static let bytesPart = "the pictures' bytes"

  /// A comparison of two libraries.
  public init(
    _ first: Store, _ firstBlobs: any BlobStoring, with second: Store,
    _ secondBlobs: any BlobStoring
  ) {
    (self.first, self.second, blobs) = (first, second, (firstBlobs, secondBlobs))
  }

  /// Calls `found` with each difference.
  ///
  /// - Returns: The number of posts that were compared.
  /// - Throws: `StorageError`, `BlobError`, or what `found` throws.
  public func run(_ found: (Difference) throws -> Void) throws -> Int {
    let feeds = (try first.transferredFeeds(), try second.transferredFeeds())
    try compareFeeds(feeds.0, feeds.1, found)
    try compareMarks(try first.transferredMarks(), try second.transferredMarks(), found)
    let ordinals = (Ordinals(feeds.0), Ordinals(feeds.1))
    _ = try walk(
      first.transferredAuthors, second.transferredAuthors, "author", \.identity,
      { one, other in
        Parts.differing(one, other)
      }, found)
    return try walk(
      first.transferredPosts, second.transferredPosts, "post", \.identity,
      { one, other in
        var parts = Parts.differing(one, other, ordinals)
        if try !arePicturesThere(one, other) { parts.append(Self.bytesPart) }
        return parts
      }, found)
  }

  /// Whether each of both libraries has the bytes that it says it has.
  private func arePicturesThere(_ one: TransferredPost, _ other: TransferredPost) throws -> Bool {
    let here = try LibraryRecord.post(one).blobs.allSatisfy { try blobs.first.stat($0) != nil }
    let there = try LibraryRecord.post(other).blobs.allSatisfy { try blobs.second.stat($0) != nil }
    return here == there
  }

  private func compareFeeds(
    _ one: [TransferredFeed], _ other: [TransferredFeed], _ found: (Difference) throws -> Void
  ) throws {
    let others = Dictionary(other.map { ($0.name, $0) }) { $1 }
    for feed in one {
      guard let same = others[feed.name] else {
        try found(Difference(what: "feed \(feed.name)", kind: .onlyInFirst))
        continue
      }
      let parts = Parts.differing(feed, same)
      if !parts.isEmpty { try found(Difference(what: "feed \(feed.name)", kind: .parts(parts))) }
    }
    let names = Set(one.map(\.name))
    for feed in other where !names.contains(feed.name) {
      try found(Difference(what: "feed \(feed.name)", kind: .onlyInSecond))
    }
  }

  /// Walks two lists in the order of their identities, page by page.
  private func walk<Record>(
    _ one: @escaping (RecordIdentity?, Int) throws -> [Record],
    _ other: @escaping (RecordIdentity?, Int) throws -> [Record],
    _ name: String, _ identity: @escaping (Record) -> RecordIdentity, _ differing: (Record, Record) throws -> [String],
    _ found: (Difference) throws -> Void
  ) throws -> Int {
    var (here, there) = (Pages(read: one, identity: identity), Pages(read: other, identity: identity))
    var count = 0
    while true {
      let (a, b) = (try here.peek(), try there.peek())
      guard let least = [a, b].compactMap({ $0.map(identity) }).min() else { return count }
      count += 1
      let (isHere, isThere) = (a.map(identity) == least, b.map(identity) == least)
      let what = "\(name) \(least.uri)"
      if isHere, isThere, let a, let b {
        let parts = try differing(a, b)
        if !parts.isEmpty { try found(Difference(what: what, kind: .parts(parts))) }
      } else {
        try found(Difference(what: what, kind: isHere ? .onlyInFirst : .onlyInSecond))
      }
      if isHere { here.next() }
      if isThere { there.next() }
    }
  }

  /// A list, read page by page.
  private struct Pages<Record> {
    let read: (RecordIdentity?, Int) throws -> [Record]
    let identity: (Record) -> RecordIdentity
    private var page: ArraySlice<Record> = []
    private var last: RecordIdentity?
    private var isAtEnd = false

    init(read: @escaping (RecordIdentity?, Int) throws -> [Record], identity: @escaping (Record) -> RecordIdentity) {
      (self.read, self.identity) = (read, identity)
    }

    mutating func peek() throws -> Record? {
      if page.isEmpty, !isAtEnd {
        page = try read(last, LibraryComparison.page)[...]
        last = page.last.map(identity)
        isAtEnd = page.count < LibraryComparison.page
      }
      return page.first
    }

    mutating func next() { page = page.dropFirst() }
  }
}

/// The intervals of each feed, counted from its lowest: their numbers differ between libraries.
struct Ordinals {
  private var ordinals: [Int64: Int64] = [:]

  init(_ feeds: [TransferredFeed]) {
    for feed in feeds {
      for (ordinal, interval) in feed.coverage.enumerated() {
        if let id = interval[.id].integer { ordinals[id] = Int64(ordinal) }
      }
    }
  }

  func of(_ value: TransferValue) -> TransferValue {
    value.integer.flatMap { ordinals[$0] }.map { .integer($0) } ?? .null
  }
}

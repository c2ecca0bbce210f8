import Blobs
import FoundationEssentials
import Posts
import Services
import Storage

/// Brings the posts of a reader into a library, batch by batch.
///
/// Each batch is one transaction, after its pictures' bytes are durable. So whatever ends the program, each post is
/// there whole or not at all, and the same import again does the rest.
public struct Importer {
  /// What is done so far.
  public struct Progress: Sendable, Hashable {
    /// Posts that were looked at.
    public var posts = 0
    /// Bytes of pictures that were read.
    public var bytes = 0
  }

  /// What an import brought, or would bring.
  public struct Report: Sendable, Hashable {
    /// What changed in the library.
    public var imported = Imported()
    /// Posts that only some people were meant to see, and that stayed out.
    public var isPrivate = 0
    /// Pictures that a post names, that are not there, and that the library does not have.
    public var absent = 0
    /// The names of the first of them.
    public var absentFiles: [String] = []
    /// What could not be read, and why: as many as a person reads.
    public var unreadable: [Unreadable] = []
    /// The posts that were found, whatever became of them.
    public var found = 0
    /// Posts of which no address is known, so that a pull may not know them again.
    public var unaddressed = 0
  }

  fileprivate static let mostNamed = 20

  /// Something that could not be read.
  public struct Unreadable: Sendable, Hashable {
    /// Its name: where it stood, and its id.
    public var name: String
    /// Why.
    public var reason: String
  }

  let store: Store
  let blobs: any BlobStoring
  let feed: Feed
  let includesPrivate: Bool
  let now: @Sendable () -> Date

  /// The posts, and the bytes of pictures, of a batch. A killed import does at most this again.
  private static let batchPosts = 500
  private static let batchPictures = 1024
  /// The same where somebody waits for them, and the seconds that they wait at most while others come.
  private static let (livePosts, livePictures, liveSeconds) = (20, 60, 2.0)

  /// An import into a library.
  ///
  /// - Parameters:
  ///   - store: The library's store.
  ///   - blobs: The library's pictures, which nobody removes meanwhile.
  ///   - feed: The feed of the import.
  ///   - includesPrivate: Whether posts come, too, that only some people were meant to see.
  ///   - now: The clock.
  public init(
    store: Store, blobs: any BlobStoring, feed: Feed, includesPrivate: Bool,
    now: @escaping @Sendable () -> Date
  ) {
    (self.store, self.blobs, self.feed) = (store, blobs, feed)
    (self.includesPrivate, self.now) = (includesPrivate, now)
  }

  /// Imports everything.
  ///
  /// - Parameters:
  ///   - reader: The reader of the tree.
  ///   - tree: The files.
  ///   - onStep: Called with what is done, often.
  /// - Throws: `ImportError`, `StorageError` or `BlobError`. What was saved before stays.
  public func run(
    _ reader: any ImportReader, of tree: any ImportTree, onStep: @escaping (Progress) -> Void
  ) throws -> Report {
    var report = Report()
    var progress = Progress()
    let storedFiles = try tree.isRandomAccess ? nil : StoredFiles(whole(reader, &report), of: tree, in: blobs)
    var batch: [FoundPost] = []
    var pictures = 0
    let (mostPosts, mostPictures) =
      reader.isLive ? (Self.livePosts, Self.livePictures) : (Self.batchPosts, Self.batchPictures)
    var flushed = now()
    func flush() throws {
      let items = try stored(batch, of: tree, storedFiles, &report, &progress)
      report.imported += try store.save(items, of: feed, now: now())
      reader.stored(batch)
      flushed = now()
      progress.posts += batch.count
      (batch, pictures) = ([], 0)
      onStep(progress)
    }
    try reader.eachPost { post in
      guard takes(post, &report) else { return }
      batch.append(post)
      pictures += post.files.count
      let isDue = reader.isLive && now().timeIntervalSince(flushed) >= Self.liveSeconds
      if isDue || batch.count >= mostPosts || pictures >= mostPictures { try flush() }
    }
    if !batch.isEmpty { try flush() }
    return report
  }

  /// Whether a post is imported. It is counted.
  private func takes(_ post: FoundPost, _ report: inout Report) -> Bool {
    report.found += 1
    report.name(post)
    guard includesPrivate || !post.isPrivate else {
      report.isPrivate += 1
      return false
    }
    if let post = post.item.post, post.source != .manual, post.url == nil, post.uri.hasPrefix("urn:") {
      report.unaddressed += 1
    }
    return true
  }

  /// Looks at everything and changes nothing. Posts of an import that has not begun yet count as new.
  public func plan(_ reader: any ImportReader, onStep: @escaping (Progress) -> Void) throws -> Report {
    var report = Report()
    var progress = Progress()
    try reader.eachPost { post in
      guard takes(post, &report) else { return }
      progress.posts += 1
      onStep(progress)
      guard post.item.post != nil else {
        report.imported.unreadable += 1
        return
      }
      let status = try status(of: [post])[0]
      let pictures = post.files.enumerated().count { status.missing.contains($0.offset) && $0.element != nil }
      report.imported.pictures += pictures
      report.miss(status.missing.sorted().compactMap { post.absent[$0] })
      if !status.isKnown {
        report.imported.new += 1
      } else if pictures > 0 || status.isNewer {
        report.imported.updated += 1
      } else {
        report.imported.unchanged += 1
      }
    }
    return report
  }
}

extension Importer.Report {
  private static let mostAbsent = 10_000

  /// Names what cannot be read, up to the number that a person reads.
  mutating func name(_ post: FoundPost) {
    guard case .unreadable(let reason) = post.item.content, unreadable.count < Importer.mostNamed else { return }
    let name = [post.origin, post.item.id ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    unreadable.append(Importer.Unreadable(name: name, reason: reason))
  }

  /// Counts files that are not there.
  mutating func miss(_ files: [String]) {
    absent += files.count
    absentFiles += files.prefix(max(0, Self.mostAbsent - absentFiles.count))
  }
}

import Blobs
import FoundationEssentials
import Posts
import Storage

/// Stores planner entries as posts made by hand. An entry that is there is updated, and one that did not change is left alone.
public struct EntryImport {
  /// What an import did.
  public struct Result: Sendable, Equatable {
    /// Entries that were not in the library.
    public var new = 0
    /// Entries of which something changed.
    public var updated = 0
    /// Entries that the library had as they are.
    public var unchanged = 0
    /// What could not be read.
    public var unreadable: [UnreadableEntry] = []
    /// How much more could not be read than is listed.
    public var moreUnreadable = 0
  }

  private let store: Store
  private let blobs: any BlobStoring
  private let now: Date
  /// What was done so far.
  public private(set) var result = Result()
  private var pending: [PlannerEntry] = []
  private var seen: Set<String> = []

  private static let batch = 200
  private static let mostUnreadable = 1000

  /// - Parameters:
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - now: The current time.
  public init(into store: Store, blobs: any BlobStoring, now: Date) {
    (self.store, self.blobs, self.now) = (store, blobs, now)
  }

  /// Reads all entries.
  ///
  /// - Parameters:
  ///   - dryRun: Whether nothing is stored.
  ///   - next: Returns the next entry of a file; nil at its end.
  /// - Throws: What `next` throws, `StorageError`, or `BlobError`. What was stored before stays.
  public mutating func run(dryRun: Bool, _ next: () throws -> EntryReading?) throws -> Result {
    while let reading = try next() {
      switch reading {
      case .entry(let entry): try add(entry, dryRun: dryRun)
      case .unreadable(let part):
        if result.unreadable.count < Self.mostUnreadable {
          result.unreadable.append(part)
        } else {
          result.moreUnreadable += 1
        }
      }
      if pending.count >= Self.batch { try flush() }
    }
    try flush()
    return result
  }

  private mutating func add(_ entry: CalendarEntry, dryRun: Bool) throws {
    // What comes twice in one file must find what came first.
    if !seen.insert(entry.uri).inserted {
      try flush()
      seen = [entry.uri]
    }
    let stored = try stored(entry)
    if let stored, Self.isSame(stored, entry) {
      result.unchanged += 1
      return
    }
    if stored == nil { result.new += 1 } else { result.updated += 1 }
    guard !dryRun else { return }
    pending.append(PlannerEntry(post: Self.post(entry, stored), files: try entry.files.compactMap(file)))
  }

  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    try store.save(pending, now: now)
    pending = []
  }

  /// The post of an entry, if the library has it. A post that did not come from a diary has its own number in one.
  private func stored(_ entry: CalendarEntry) throws -> StoredPost? {
    for uri in [entry.uri, entry.formerURI].compactMap(\.self) {
      if let id = try store.postMadeByHand(uri) { return try store.posts(numbered: [id]).first }
    }
    guard let number = DiaryNumber.ofURI(entry.uri), number > 0 else { return nil }
    for candidate in [number, number % DiaryNumber.step] {
      guard let post = try store.posts(numbered: [candidate]).first, post.isManual,
        DiaryNumber.ofURI(post.uri) == nil
      else { continue }
      let name = CalendarEntry.words(title: post.title, caption: post.caption).name
      if name == entry.name || Self.seconds(post.createdAt) == Self.seconds(entry.start) { return post }
    }
    return nil
  }

  private static func seconds(_ date: Date?) -> Int? { date.map { Int($0.timeIntervalSince1970.rounded(.down)) } }

  /// Whether writing the post would give the entry. Files of entries have whole seconds.
  private static func isSame(_ post: StoredPost, _ entry: CalendarEntry) -> Bool {
    let words = CalendarEntry.words(title: post.title, caption: post.caption)
    guard (words.name.isEmpty ? "Untitled" : words.name) == entry.name, words.text == entry.text,
      seconds(post.createdAt) == seconds(entry.start), seconds(post.endsAt) == seconds(entry.finish)
    else { return false }
    if DiaryNumber.ofURI(entry.uri) != nil, entry.files.isEmpty { return true }
    return post.tags == entry.tags && (entry.url == nil || entry.url == post.url)
      && entry.files.allSatisfy { file in post.attachments.contains { isSame($0, file) } }
  }

  private static func isSame(_ attachment: StoredAttachment, _ file: CalendarEntry.File) -> Bool {
    switch file {
    case .link(let url, _): attachment.url == url
    case .bytes(let bytes, _, _): attachment.blob == BlobID(hashing: bytes)
    }
  }

  /// What a diary does not have stays as it is.
  private static func post(_ entry: CalendarEntry, _ stored: StoredPost?) -> Post {
    guard let stored else { return entry.post }
    let isDiary = DiaryNumber.ofURI(entry.uri) != nil
    let isSameMoment = seconds(stored.createdAt) == seconds(entry.start)
    let isSameEnd = seconds(stored.endsAt) == seconds(entry.finish)
    return Post(
      source: .manual, uri: stored.uri, url: entry.url ?? stored.url,
      createdAt: isSameMoment ? stored.createdAt : entry.start, endsAt: isSameEnd ? stored.endsAt : entry.finish,
      editedAt: stored.editedAt, title: entry.name, caption: entry.text, warning: stored.warning,
      sensitive: stored.sensitive, language: stored.language, tags: isDiary ? stored.tags : entry.tags,
      listsAttachments: false)
  }

  private func file(_ file: CalendarEntry.File) throws -> (attachment: Attachment, blob: StoredBlob?)? {
    switch file {
    case .link(let url, let type):
      return (Attachment(kind: Self.kind(type), url: url), nil)
    case .bytes(let bytes, _, let name):
      let draft = try blobs.draft()
      try bytes.withUnsafeBytes { try draft.write($0) }
      let header = try draft.header()
      let kept = try blobs.keep([draft])[0]
      return (
        Attachment(header, name: name.flatMap(Attachment.name(ofFile:))),
        StoredBlob(id: kept.id, byteCount: kept.byteCount, header: header)
      )
    }
  }

  private static func kind(_ type: String?) -> Attachment.Kind {
    switch type?.prefix(while: { $0 != "/" }) {
    case "image": .image
    case "video": .video
    case "audio": .audio
    default: .file
    }
  }
}

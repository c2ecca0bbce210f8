import Posts
import Storage

/// The lengths of files as a feed declares them. They may be wrong: they tell only when to ask.
struct DeclaredLengths {
  /// An address, of which ten thousands take little memory.
  struct Address: Hashable {
    private let hash: Int

    init(_ url: String) { hash = url.hashValue }
  }

  private var lengths: [Address: Int] = [:]
  /// The sum of what was queued so far.
  private(set) var bytes: Int64 = 0
  /// Whether it was told that the sum is long.
  var isTold = false

  /// The lengths on a page.
  static func of(_ page: Page) -> [Address: Int] {
    var lengths: [Address: Int] = [:]
    for item in page.items {
      for file in item.post?.attachments ?? [] {
        if let url = file.url, let length = file.byteCount, length > 0 { lengths[Address(url)] = length }
      }
    }
    return lengths
  }

  mutating func add(_ others: [Address: Int]) { lengths.merge(others) { $1 } }

  /// Counts the declared length of a file that is to be downloaded, once. Nothing is counted if none is declared, or if it
  /// is longer than is wanted.
  mutating func count(_ task: PictureTask) {
    // A task that is queued again is downloaded once.
    guard let url = task.urls.first, let length = lengths.removeValue(forKey: Address(url)).map(Int64.init),
      task.limitBeforeRequest == nil, length <= task.limits.maxSize ?? Self.longest, length <= Self.longest
    else { return }
    bytes += length
  }

  /// What is longer than a disk is no length.
  private static let longest: Int64 = 1 << 40
}

import Blobs
import FoundationEssentials
import Storage

/// Gives posts the form of planner entries, and numbers them for a diary.
public struct EntryExport {
  /// The most bytes of a file that becomes part of a calendar.
  public static let largestFile = 4 << 20
  /// The numbers that entries of diaries have.
  private var taken: Set<Int64>
  private let blobs: (any BlobStoring)?
  /// The number of files that were left out, because they are too large or their bytes are missing.
  public private(set) var filesLeftOut = 0

  /// - Parameters:
  ///   - uris: The URIs of all posts made by hand.
  ///   - blobs: The pictures of the library; nil if files are not wanted.
  public init(uris: some Sequence<String>, blobs: (any BlobStoring)? = nil) {
    taken = Set(uris.compactMap(DiaryNumber.ofURI))
    self.blobs = blobs
  }

  /// The entry of a post.
  public mutating func entry(of post: StoredPost) -> CalendarEntry {
    let words = CalendarEntry.words(title: post.title, caption: post.caption)
    var files: [CalendarEntry.File] = []
    if blobs != nil {
      for attachment in post.attachments {
        if let file = file(attachment) { files.append(file) } else { filesLeftOut += 1 }
      }
    }
    return CalendarEntry(
      uri: post.uri, start: post.createdAt, finish: post.endsAt, name: words.name.isEmpty ? "Untitled" : words.name,
      text: words.text, url: post.url, tags: post.tags, files: files)
  }

  /// The number of a post in a diary: that of the diary it came from, else its own.
  public mutating func number(of post: StoredPost) -> Int64 {
    if let number = DiaryNumber.ofURI(post.uri) { return number }
    var number = post.id
    while !taken.insert(number).inserted { number += DiaryNumber.step }
    return number
  }

  private func file(_ attachment: StoredAttachment) -> CalendarEntry.File? {
    if let url = attachment.url { return .link(url, mediaType: attachment.mediaType) }
    guard let blobs, let id = attachment.blob, let count = attachment.byteCount, count <= Self.largestFile,
      let bytes = try? blobs.fetch(id, 0..<count)
    else { return nil }
    return .bytes(bytes, mediaType: attachment.mediaType, name: attachment.name)
  }
}

/// The numbers of entries in diaries.
enum DiaryNumber {
  /// By how much a number grows if another entry has it.
  static let step: Int64 = 1_000_000_000

  /// The number of an entry that came from a diary.
  static func ofURI(_ uri: String) -> Int64? {
    uri.hasPrefix("urn:diary:") ? Int64(uri.dropFirst("urn:diary:".count)) : nil
  }
}

import FoundationEssentials
import JSONReading
import Posts

/// Reads what a download program wrote of a source's posts, beside each of their files (`gallery-dl --write-metadata`).
///
/// The post has one attachment for each file, in order, and the identity that a pull would give it.
public struct DownloadReader: Sendable {
  /// Whether a file's description is one of this source's.
  let recognizes: @Sendable (JSONObject) -> Bool
  /// Reads a post of which these files were downloaded.
  let read: @Sendable (_ files: [JSONObject], _ raw: [UInt8]) -> PageItem
}

/// A description that a download program wrote: which post it belongs to, and where in it.
public struct DownloadedFile: Sendable {
  /// The post, among the posts of one site.
  public let post: String
  /// The file's place among the files of the post.
  public let number: Int

  /// Reads a description, or the first of several; nil if it names neither site nor post.
  public init?(_ bytes: [UInt8]) {
    let first = bytes.first == UInt8(ascii: "[") ? (try? JSONSlices.elements(of: bytes))?.first : bytes.indices
    guard let first, let fields = JSONObject(bytes, at: first) else { return nil }
    let described = DownloadedPost(fields)
    guard let site = described.site, let id = described.id else { return nil }
    post = "\(site) \(id)"
    number = fields.integer("num") ?? fields.integer("index") ?? 0
  }
}

extension Catalogue {
  /// The post to which downloaded files belong.
  ///
  /// - Parameters:
  ///   - files: The descriptions of the files, in the order of the files; at least one.
  ///   - date: When the first file was last changed. It counts where a program that sets it so knows no other date.
  /// - Returns: The post, with an attachment for each file. If it cannot be read, why.
  public static func downloadedPost(_ files: [[UInt8]], changed date: Date? = nil) -> PageItem {
    downloadedPost(files) { $0.pageItem($1, changed: date, raw: $2) }
  }

  /// The post that a download program has just fetched.
  ///
  /// - Parameters:
  ///   - files: The descriptions of the files, in the order of the files, or that of the post alone.
  ///   - addresses: Where each file came from, if that is known; none if the post has no file.
  ///   - date: When the first file was last changed. It counts where no other date is known.
  /// - Returns: The post, with an attachment for each file. If it cannot be read, why.
  public static func fetchedPost(_ files: [[UInt8]], from addresses: [String?], changed date: Date) -> PageItem {
    var item = downloadedPost(files) { $0.pageItem($1, fetchedFrom: addresses, changed: date, raw: $2) }
    guard case .post(var post) = item.content else { return item }
    if addresses.isEmpty { post.attachments = [] }
    for (index, address) in addresses.enumerated() where post.attachments.indices.contains(index) {
      post.attachments[index].url = post.attachments[index].url ?? Bounds.webAddress(address)
    }
    item.content = .post(post)
    return item
  }

  private static func downloadedPost(
    _ files: [[UInt8]], otherwise read: (DownloadedPost, [JSONObject], [UInt8]) -> PageItem
  ) -> PageItem {
    let isOne = files.dropFirst().allSatisfy { $0 == files[0] }
    let raw = isOne ? files[0] : Array("[".utf8) + files.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    let objects = files.compactMap { JSONObject($0) }
    guard raw.count <= Bounds.post * 4, objects.count == files.count, let first = objects.first else {
      return PageItem(
        id: nil, content: .unreadable(reason: "its description is no JSON object"), raw: Array(raw.prefix(Bounds.post)))
    }
    guard let reader = entries.lazy.flatMap(\.downloads).first(where: { $0.recognizes(first) }) else {
      return read(DownloadedPost(first), objects, raw)
    }
    return reader.read(objects, raw)
  }
}

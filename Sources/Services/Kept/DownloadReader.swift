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
  /// The post, among the posts of one site; empty if it is none.
  public let post: String
  /// Whether it names its post.
  public let hasID: Bool
  /// Whether nothing but its own name tells its post from others.
  public let isNamedByFile: Bool
  /// The file's place among the files of the post.
  public let number: Int
  /// Whether it describes a list of posts, and none of its own (yt-dlp).
  public let isList: Bool
  /// The endings of its files' names without the dot, in order, as far as it says how many there are.
  public let endings: [String]
  /// The names of its file, the one that it has in the end before others (yt-dlp).
  public let names: [String]
  /// The parts of a video that lie beside it until they are joined (yt-dlp).
  public let formats: [String]

  /// Reads a description, or the first of several; nil if it names neither site nor post.
  ///
  /// - Parameter path: What tells the post from others of the site if it has neither id nor page; nil if nothing does, and no
  ///   page either.
  public init?(_ bytes: [UInt8], at path: String? = nil) {
    let first = bytes.first == UInt8(ascii: "[") ? (try? JSONSlices.elements(of: bytes))?.first : bytes.indices
    guard let first, let fields = JSONObject(bytes, at: first) else { return nil }
    let described = DownloadedPost(fields)
    isList = !fields.has("category") && ["playlist", "multi_video"].contains(fields.string("_type"))
    let page = path == nil ? nil : described.page
    (hasID, isNamedByFile) = (described.id != nil, described.id == nil && page == nil && path != nil)
    let name = described.id ?? page ?? path
    if let site = described.site, let name { post = "\(site) \(name)" } else { post = "" }
    guard isList || !post.isEmpty else { return nil }
    number = fields.integer("num") ?? fields.integer("index") ?? 0
    (endings, names, formats) = (Self.endings(fields), Self.names(fields), Self.formats(fields))
  }

  private static func endings(_ fields: JSONObject) -> [String] {
    guard let node = fields.object("node") else {
      return [Bounds.word(fields.string("ext"), bytes: 16)].compactMap(\.self)
    }
    let children = node.instagramChildren
    return (children.isEmpty ? [node] : children).map { child in
      child.bool("is_video") ?? (child.integer("media_type") == 2) ? "mp4" : "jpg"
    }
  }

  /// Without their folders, which may be those of another machine.
  private static func names(_ fields: JSONObject) -> [String] {
    let paths =
      fields.objects("requested_downloads", most: 8).map { $0.string("filepath") }
      + [fields.string("filepath"), fields.string("_filename")]
    return paths.compactMap { path in
      let name = path?.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init)
      return name.flatMap { Bounds.line($0) == $0 ? $0 : nil }
    }
  }

  private static func formats(_ fields: JSONObject) -> [String] {
    let parts = fields.objects("requested_formats", most: 8).compactMap { $0.string("format_id") }
    let named = fields.string("format_id").map { $0.split(separator: "+").prefix(8).map(String.init) } ?? []
    return (parts.isEmpty ? named : parts).compactMap { Bounds.word($0, bytes: Bounds.id) }
  }
}

extension Catalogue {
  /// The post to which downloaded files belong.
  ///
  /// - Parameters:
  ///   - files: The descriptions of the files, in the order of the files; at least one.
  ///   - name: What names the post if it has neither id nor page.
  ///   - date: When the first file was last changed. It counts where no other date is known.
  /// - Returns: The post, with an attachment for each file. If it cannot be read, why.
  public static func downloadedPost(
    _ files: [[UInt8]], named name: String? = nil, changed date: Date? = nil
  ) -> PageItem {
    downloadedPost(files) { $0.pageItem($1, named: name, changed: date, raw: $2) }
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

import FoundationEssentials
import JSONReading
import Posts

/// What the sidecars of a file say.
public struct SidecarFacts: Sendable {
  /// The tags, some with a namespace: `creator:ada`.
  public var tags: [String] = []
  /// The addresses that the file was seen at.
  public var urls: [String] = []
  private(set) var title: String?
  private(set) var caption: String?
  private(set) var creator: String?
  private(set) var createdAt: Date?

  /// No facts yet.
  public init() {}

  /// The page of the file's post; nil if no address is known. The address of the file itself is no page.
  public var page: String? {
    let addresses = urls.compactMap { Bounds.webAddress($0) }
    return addresses.first { DownloadedPost.kind(PathText.ending(of: $0)) == .file } ?? addresses.first
  }

  /// The number of the file in its post; nil if nothing says it.
  public var number: Int? { first("page").flatMap { Int($0) } }

  /// Takes what a sidecar in JSON says: hydrus's, or a post as an export writes it beside its files.
  public mutating func read(json bytes: [UInt8]) {
    guard let fields = JSONObject(bytes) else { return }
    let inner = fields.object("metadata") ?? fields
    tags += inner.list("tags", most: 10_000).compactMap(\.string)
    urls += inner.list("urls", most: 1000).compactMap(\.string)
    guard fields.string("origin") != nil else { return }
    urls += [fields.string("url")].compactMap(\.self)
    title = Bounds.line(fields.string("title"))
    caption = Bounds.block(fields.string("caption"), bytes: Bounds.caption)
    creator = Bounds.line(fields.object("author")?.string("handle"))
    createdAt = fields.moment("created_at")
  }

  /// The value of the first tag in a namespace.
  fileprivate func first(_ space: String) -> String? {
    tags.first { $0.hasPrefix("\(space):") }.flatMap { Bounds.line(String($0.dropFirst(space.count + 1))) }
  }
}

extension Catalogue {
  /// The post of files of which only tags and addresses are known, as hydrus writes them beside each
  /// (https://hydrusnetwork.github.io/hydrus/advanced_sidecars.html).
  ///
  /// - Parameters:
  ///   - facts: What the sidecars of all its files say.
  ///   - endings: The ending of each file's name, without the dot.
  ///   - date: When the first file was last changed. It counts where nothing says when the post was written.
  /// - Returns: The post. Without an address its identity is made up, and its file's hash completes it.
  public static func sidecarPost(_ facts: SidecarFacts, endings: [String?], date: Date) -> FoundPost {
    let page = facts.page
    var seen: Set<String> = []
    // Which of several files one is does not describe their post.
    let names = facts.tags.filter { endings.count == 1 || !$0.hasPrefix("page:") }.prefix(Bounds.tags)
      .compactMap { Bounds.word(Feed.tagName($0).replacing(" ", with: "_"), bytes: Bounds.line) }
      .filter { seen.insert($0).inserted }
    let author = (facts.creator ?? facts.first("creator")).map { name in
      let word = name.replacing(" ", with: "_")
      let handle = word.contains("@") ? word : "\(word)@hydrus"
      return Author(uri: "acct:\(handle)", handle: handle, name: name)
    }
    let post = Post(
      source: ofAddresses, uri: page ?? "urn:file", url: page, author: author, createdAt: facts.createdAt ?? date,
      isDated: facts.createdAt != nil, title: facts.title ?? facts.first("title"), caption: facts.caption ?? "",
      tags: names, attachments: endings.map { Attachment(kind: DownloadedPost.kind($0), url: nil) })
    return FoundPost(PageItem(id: nil, content: .post(post), raw: []), isFoundByPicture: page == nil)
  }
}

extension PathText {
  /// The ending of a name or an address, without the dot.
  fileprivate static func ending(of path: String) -> String? {
    let name = path.split(separator: "?").first?.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last.map(String.init) : nil
  }
}

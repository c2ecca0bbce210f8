import FoundationEssentials
import JSONReading
import Posts

extension Catalogue {
  /// The post of a file of which only tags and addresses are known, as hydrus writes them beside it
  /// (https://hydrusnetwork.github.io/hydrus/advanced_sidecars.html).
  ///
  /// - Parameters:
  ///   - tags: The tags, some with a namespace: `creator:ada`.
  ///   - urls: The addresses that it was seen at.
  ///   - ending: The ending of the file's name, without the dot.
  ///   - date: When the file was last changed. Nobody says when it was posted.
  /// - Returns: The post. Without an address its identity is made up, and its file's hash completes it.
  public static func sidecarPost(tags: [String], urls: [String], ending: String?, date: Date) -> FoundPost {
    let addresses = urls.compactMap { Bounds.webAddress($0) }
    // The address of the file itself is no page.
    let page = addresses.first { DownloadedPost.kind(PathText.ending(of: $0)) == .file } ?? addresses.first
    var seen: Set<String> = []
    let names = tags.prefix(Bounds.tags)
      .compactMap { Bounds.word(Feed.tagName($0).replacing(" ", with: "_"), bytes: Bounds.line) }
      .filter { seen.insert($0).inserted }
    func first(_ space: String) -> String? {
      tags.first { $0.hasPrefix("\(space):") }.flatMap { Bounds.line(String($0.dropFirst(space.count + 1))) }
    }
    let author = first("creator").map { name in
      let handle = "\(name.replacing(" ", with: "_"))@hydrus"
      return Author(uri: "acct:\(handle)", handle: handle, name: name)
    }
    let post = Post(
      source: ofAddresses, uri: page ?? "urn:file", url: page, author: author, createdAt: date, isDated: false,
      title: first("title"), caption: "", tags: names,
      attachments: [Attachment(kind: DownloadedPost.kind(ending), url: nil)])
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

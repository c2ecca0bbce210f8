import FoundationEssentials
import JSONReading
import Machine
import Posts

/// What the sidecars of a file say.
public struct SidecarFacts: Sendable {
  /// The tags, some with a namespace: `creator:ada`.
  public var tags: [String] = []
  /// The addresses that the file was seen at.
  public var urls: [String] = []
  var title: String?
  var license: License?
  var caption: String?
  var creator: String?
  var createdAt: Date?
  var alt: String?
  /// Who may see the post; nil if nothing says it.
  private(set) var visibility: Visibility?
  /// What the person made of the post.
  var marks = KeptMarks()
  /// The post, with its identity, if this program wrote the sidecar.
  var post: Post?
  /// The file's position in the post, from 1, if this program wrote it.
  var position: Int?
  var warning: String?
  var sensitive = false
  /// Why one of them cannot be read; nil if all can. What it would have said may be that not everybody may see the post.
  public var fault: String?

  /// No facts yet.
  public init() {}

  /// What tells the file's post from others; nil if nothing does.
  public var identity: String? { post.map { "\($0.source.rawValue) \($0.uri)" } ?? page }

  /// The page of the file's post; nil if no address is known. The address of the file itself is no page.
  public var page: String? {
    let addresses = urls.compactMap { Bounds.webAddress($0) }
    let page = addresses.first { DownloadedPost.kind(PathText.ending(of: $0)) == .file } ?? addresses.first
    return page.map(Catalogue.canonicalPage)
  }

  /// The number of the file in its post; nil if nothing says it.
  public var number: Int? { position ?? first("page").flatMap { Int($0) } }

  /// Takes what a sidecar in JSON says: hydrus's, or a post as an export writes it beside its files.
  ///
  /// - Returns: Why it cannot be read; nil if it can.
  public mutating func read(json bytes: [UInt8]) -> String? {
    guard let fields = JSONObject(bytes) else { return "it is no JSON object" }
    guard fields.string("origin") != nil else {
      let inner = fields.object("metadata") ?? fields
      read(tags: inner.list("tags", most: 10_000).compactMap(\.string))
      urls += inner.list("urls", most: 1000).compactMap(\.string)
      return nil
    }
    tags += fields.list("tags", most: 10_000).compactMap(\.string)
    urls += [fields.string("url")].compactMap(\.self)
    title = Bounds.line(fields.string("title"))
    caption = Bounds.block(fields.string("caption"), bytes: Bounds.caption)
    creator = Bounds.line(fields.object("author")?.string("handle"))
    createdAt = fields.moment("created_at")
    position = fields.integer("file")
    post = WrittenSidecar(fields).post
    see([fields.string("visibility")].compactMap(\.self))
    marks.read(fields)
    return nil
  }

  /// Takes the lines of a sidecar of tags. What an export says in them of the post is no tag.
  public mutating func read(tags lines: [String]) {
    own(Self.values(of: lines, behind: "own:"))
    see(Self.values(of: lines, behind: "visibility:"))
    warn(Self.values(of: lines, behind: "warning:"))
    sensitive = sensitive || lines.contains("rating:sensitive")
    let spaces = ["own:", "visibility:", "warning:"]
    tags += lines.filter { line in line != "rating:sensitive" && !spaces.contains(where: line.hasPrefix) }
  }

  static func values(of names: [String], behind mark: String) -> [String] {
    names.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  mutating func warn(_ words: [String]) { warning = warning ?? Bounds.block(words.joined(separator: ", ")) }

  /// Takes words of who may see the post. If they differ, one by which not everybody may counts.
  mutating func see(_ words: [String]) {
    for word in words where visibility.isPublishable { visibility = Visibility(written: word) }
  }

  /// Takes the person's own tags.
  mutating func own(_ names: [String]) { marks.own(names) }

  /// Names of tags in their usual form, each once.
  static func names(_ tags: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return tags.compactMap { Bounds.word(Feed.tagName($0).replacing(" ", with: "_"), bytes: Bounds.line) }
      .filter { seen.insert($0).inserted }
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
  ///   - facts: What the sidecars of each of its files say.
  ///   - paths: The path of each file.
  ///   - date: When the first file was last changed. It counts where nothing says when the post was written.
  /// - Returns: The post. Without an address its identity is made up, and its file's hash completes it.
  public static func sidecarPost(_ facts: [SidecarFacts], paths: [String], date: Date) -> FoundPost {
    var found = unmarked(facts, paths: paths, date: date)
    for marks in facts.map(\.marks) { found.marks.add(marks) }
    found.item.id = paths.first
    return found
  }

  private static func unmarked(_ facts: [SidecarFacts], paths: [String], date: Date) -> FoundPost {
    if let post = facts.lazy.compactMap(\.post).first {
      return facts.reduce(into: whole(post, facts.map(\.position), paths)) { $0.narrow($1) }
    }
    let page = facts.lazy.compactMap(\.page).first
    // Which of several files one is does not describe their post.
    let tags = facts.flatMap(\.tags).filter { paths.count == 1 || !$0.hasPrefix("page:") }.prefix(Bounds.tags)
    func first<Value>(_ fact: (SidecarFacts) -> Value?) -> Value? { facts.compactMap(fact).first }
    let author = first { $0.creator ?? $0.first("creator") }.map { name in
      let word = name.replacing(" ", with: "_")
      let handle = word.contains("@") ? word : "\(word)@hydrus"
      return Author(uri: "acct:\(handle)", handle: handle, name: name)
    }
    let createdAt = first(\.createdAt)
    let seen = facts.compactMap(\.visibility)
    let visibility = seen.first { !Visibility?.some($0).isPublishable } ?? seen.first
    let post = Post(
      source: ofAddresses, uri: page ?? "urn:file", url: page, author: author, createdAt: createdAt ?? date,
      isDated: createdAt != nil, title: first { $0.title ?? $0.first("title") }, caption: first(\.caption) ?? "",
      warning: first(\.warning) ?? "", sensitive: facts.contains(where: \.sensitive), visibility: visibility,
      license: first(\.license), tags: SidecarFacts.names(tags),
      attachments: zip(facts, paths).map { Attachment(kind: DownloadedPost.kind(ofFile: $1), url: nil, alt: $0.alt) })
    return FoundPost(
      PageItem(id: nil, content: .post(post), raw: []), files: paths, isFoundByPicture: page == nil,
      isNamedByPicture: page == nil)
  }

  /// A post of which all is known. A file whose position nothing says has the next free one.
  private static func whole(_ post: Post, _ positions: [Int?], _ paths: [String]) -> FoundPost {
    var files = [String?](repeating: nil, count: post.attachments.count)
    for (position, path) in zip(positions, paths) {
      let said = position.flatMap { files.indices.contains($0 - 1) && files[$0 - 1] == nil ? $0 - 1 : nil }
      if let index = said ?? files.firstIndex(of: nil) { files[index] = path }
    }
    return FoundPost(PageItem(id: nil, content: .post(post), raw: []), files: files)
  }

  /// The address of a page at its service's own name, whichever of its names it has.
  static func canonicalPage(_ address: String) -> String {
    guard let server = Server(address), let host = entry(owning: server)?.home?.hosts.first,
      host != WebIdentity.host(of: address)
    else { return address }
    return "https://\(host)\(String(decoding: Bounds.path(of: address), as: UTF8.self))"
  }
}

extension FoundPost {
  /// Adds what lies beside one of its files, to what a better description says.
  public mutating func add(_ facts: SidecarFacts) {
    marks.add(facts.marks)
    guard case .post(var post) = item.content else { return }
    // What stands in a namespace, such as the author, the description says itself.
    let tags = SidecarFacts.names(facts.tags.filter { !$0.contains(":") }).filter { !post.tags.contains($0) }
    post.tags += tags.prefix(max(0, Bounds.tags - post.tags.count))
    item.content = .post(post)
    narrow(facts)
  }

  /// Shows the post to fewer people, and not at once, if what lies beside one of its files says so.
  fileprivate mutating func narrow(_ facts: SidecarFacts) {
    guard case .post(var post) = item.content else { return }
    for said in [facts.visibility, facts.post?.visibility] where !said.isPublishable && post.visibility.isPublishable {
      post.visibility = said
    }
    post.sensitive = post.sensitive || facts.sensitive
    if post.warning.isEmpty { post.warning = facts.warning ?? "" }
    item.content = .post(post)
  }
}

extension PathText {
  /// The ending of a name or an address, without the dot.
  fileprivate static func ending(of path: String) -> String? {
    let name = path.split(separator: "?").first?.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last.map(String.init) : nil
  }
}

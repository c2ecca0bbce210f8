import FoundationEssentials
import Machine
import Posts
import Services
import Synchronization

/// Reads a folder in which descriptions lie beside the files that they describe.
final class DescribedReader: ImportReader {
  private struct Part {
    let number: Int
    let description: String
    /// The file's place among those of its description.
    let position: Int
    let file: String?
    /// A file that is named and is not there.
    let absent: String?
    /// What names the post if its description does not.
    let name: String?
  }

  private let tree: any ImportTree
  private let form: DescribedForm
  /// The files of each post, in the order in which the posts were found.
  private var posts: [[Part]] = []
  /// Descriptions that cannot be read, and why.
  private var strange: [(path: String, reason: String)] = []
  /// What other programs wrote beside files, by the file.
  private var beside: [String: [String]] = [:]
  private var undescribed = 0
  private var lists = 0
  /// The descriptions of other programs, by the form that reads them.
  private var others: [String: Int] = [:]
  private var changed: [String: Date] = [:]

  /// The most bytes of a description.
  private static let longest = 8 << 20

  /// Reads which description belongs to which post.
  ///
  /// - Throws: `ImportError.packed` if the tree is no folder.
  init(_ tree: any ImportTree, _ form: DescribedForm) throws {
    guard tree.isRandomAccess else { throw ImportError.packed(path: tree.name, format: form.name) }
    (self.tree, self.form) = (tree, form)
    try index()
  }

  var total: Int? { posts.count + strange.count }

  var leftOut: [(what: String, count: Int)] {
    (lists > 0 ? [("lists of videos", lists)] : [])
      + (undescribed > 0 ? [("files without a description", undescribed)] : [])
      + others.sorted { $0.key < $1.key }.map { ("files that --format \($0.key) reads", $0.value) } + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    for (path, reason) in strange { try found(FoundPost(unreadable: path, reason)) }
    for parts in posts {
      let texts = parts.map { part in try? text(of: part.description) }
      let whole = texts.compactMap(\.self)
      guard whole.count == parts.count else {
        try found(
          FoundPost(unreadable: parts[0].description, "a file went away while the folder was read"))
        continue
      }
      let date = parts[0].file.flatMap { changed[$0] }
      let item = Self.item(whole, parts, changed: date)
      var post = FoundPost(item, files: parts.map(\.file), isNamedByPicture: parts[0].name != nil)
      post.descriptions = parts.map(\.description)
      post.origin = post.descriptions[0]
      var fault: String?
      for (index, part) in parts.enumerated() {
        post.absent[index] = part.absent
        let sidecars = part.file.flatMap { beside[$0] } ?? []
        if sidecars.isEmpty { continue }
        let facts = try SidecarReader.facts(in: sidecars, of: tree)
        fault = fault ?? facts.fault
        post.add(facts)
      }
      try found(fault.map { FoundPost(unreadable: parts[0].file ?? post.origin, $0) } ?? post)
    }
  }

  /// The post. The description of a whole gallery describes no file.
  private static func item(_ descriptions: [[UInt8]], _ parts: [Part], changed: Date?) -> PageItem {
    var item = Catalogue.downloadedPost(descriptions, named: parts[0].name, changed: changed)
    guard case .post(var post) = item.content else { return item }
    for (index, part) in parts.enumerated() where post.attachments.indices.contains(index) {
      guard let file = part.file ?? part.absent else { continue }
      let (said, kind) = (post.attachments[index].kind, DownloadedPost.kind(ofFile: file))
      // Of a video only the sound or a still may have been kept. Films also hold sounds, and what moves silently.
      let isOther = said == .video && part.file != nil && [.audio, .image].contains(kind)
      if said == .file || isOther { post.attachments[index].kind = kind }
    }
    if parts.allSatisfy({ $0.file == nil && $0.absent == nil }) {
      post.attachments.removeAll { $0.url == nil && $0.remoteID == nil }
    }
    item.content = .post(post)
    return item
  }

  /// What is kept of each description is small.
  private func index() throws {
    var files: Set<String> = []
    var descriptions: [(path: String, said: DownloadedFile)] = []
    try tree.eachFile { file in
      changed[file.path] = file.modifiedAt
      guard form.isDescription(file.path) else {
        files.insert(file.path)
        if let other = try ImportFormat.described(file) { others[other.name, default: 0] += 1 }
        return true
      }
      let bytes = try? Self.text(of: file)
      let said = bytes.flatMap { DownloadedFile($0, at: file.path) }
      if said?.isList == true {
        lists += 1
      } else if let said {
        descriptions.append((file.path, said))
      } else {
        let isLong = bytes == nil
        strange.append((file.path, isLong ? "it is too long or damaged" : Self.noDescription))
      }
      return true
    }
    var indices: [String: Int] = [:]
    var described = 0
    for (path, said) in descriptions {
      let own = form.files(path, said, files.contains)
      guard said.hasID || !own.isEmpty else {
        strange.append((path, Self.noDescription))
        continue
      }
      let there = own.filter(files.contains)
      described += there.count
      for file in there { beside[file] = Self.sidecars(of: file).filter(files.contains) }
      let index = indices[said.post] ?? posts.count
      if index == posts.count {
        indices[said.post] = index
        posts.append([])
      }
      let parts = own.isEmpty ? [nil] : own.map(Optional.init)
      posts[index] += parts.enumerated().map { position, file in
        let isThere = file.map(files.contains) ?? false
        return Part(
          number: said.number, description: path, position: position, file: isThere ? file : nil,
          absent: isThere ? nil : file, name: said.isNamedByFile ? file.map { PathText.name(of: $0) } : nil)
      }
    }
    for index in posts.indices {
      let own = posts[index].filter { $0.file != nil || $0.absent != nil }
      posts[index] = (own.isEmpty ? posts[index] : own).sorted {
        ($0.number, $0.description, $0.position) < ($1.number, $1.description, $1.position)
      }
    }
    undescribed = files.count - described - Set(beside.values.joined()).count - others.values.reduce(0, +)
  }

  private static func sidecars(of file: String) -> [String] {
    ["\(file).txt", "\(file).xmp", "\(PathText.stem(of: file)).xmp"]
  }

  private func text(of path: String) throws -> [UInt8]? {
    let found = Mutex<[UInt8]?>(nil)
    try tree.eachFile(named: [path]) { file in
      let bytes = try Self.text(of: file)
      found.withLock { $0 = bytes }
    }
    return found.withLock(\.self)
  }

  private static func text(of file: any ImportFile) throws -> [UInt8]? {
    let bytes = try file.readAll(most: longest)
    let isPacked = file.path.hasSuffix(".xz")
    return (isPacked ? try bytes.flatMap { try OpenArchive.unpacked($0, most: longest) } : bytes).map(WideText.utf8)
  }

  private static let noDescription = "it is no description of a file"
}

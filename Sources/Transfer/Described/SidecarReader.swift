import FoundationEssentials
import Machine
import Services
import Synchronization

extension ImportFormat {
  static let hydrus = ImportFormat(
    "hydrus", "a folder of files with hydrus's sidecars, or those of an export",
    isMark: { path, head in
      if path.hasSuffix(".xmp") { return String(decoding: head, as: UTF8.self).contains("xmpmeta") }
      guard SidecarReader.file(of: path) != nil else { return false }
      let marks = ["\"origin\"", "\"attachments\""]
      return !path.hasSuffix(".json") || marks.contains { DescribedForm.says($0, head) }
    },
    reader: SidecarReader.init)
}

/// Reads a folder in which tags and addresses lie beside each file: `NAME.EXT.txt`, `NAME.EXT.urls.txt`, `NAME.EXT.json`
/// and `NAME.EXT.xmp`, or `NAME.xmp`. Files that were seen at one page are one post.
final class SidecarReader: ImportReader {
  private let tree: any ImportTree
  private var files: [String: Date] = [:]
  private var sidecars: [String: [String]] = [:]
  /// The files of each post, in order.
  private var posts: [[String]] = []
  /// Sidecars that are too long to be read.
  private var longSidecars: Set<String> = []

  private static let endings = [".urls.txt", ".txt", ".json", ".xmp"]
  private static let longest = 1 << 20

  /// Looks which files have sidecars, and which of them belong together.
  init(_ tree: any ImportTree) throws {
    self.tree = tree
    try tree.eachFile { file in
      if let owner = Self.file(of: file.path) {
        sidecars[owner, default: []].append(file.path)
      } else if !file.fileName.hasPrefix(".") {
        files[file.path] = file.modifiedAt
      }
      return true
    }
    addNamedByStem()
    sidecars = sidecars.filter { files[$0.key] != nil }
    posts = try grouped()
  }

  /// Programs for photographs write `NAME.xmp` for `NAME.EXT`.
  private func addNamedByStem() {
    let packets = files.keys.filter { $0.hasSuffix(".xmp") }
    if packets.isEmpty { return }
    let pictures = files.keys.filter { DownloadedPost.kind(ofFile: $0) != .file }
    let byStem = Dictionary(grouping: pictures) { PathText.stem(of: $0) }
    for packet in packets {
      guard let owners = byStem[PathText.stem(of: packet)] else { continue }
      for owner in owners { sidecars[owner, default: []].append(packet) }
      files[packet] = nil
    }
  }

  private func grouped() throws -> [[String]] {
    var indices: [String: Int] = [:]
    var groups: [[(path: String, number: Int)]] = []
    for (path, own) in sidecars.sorted(by: { $0.key < $1.key }) {
      let facts = try facts(in: own)
      let index = facts.identity.flatMap { indices[$0] } ?? groups.count
      if index == groups.count { groups.append([]) }
      if let identity = facts.identity { indices[identity] = index }
      groups[index].append((path, facts.number ?? .max))
    }
    return groups.map { group in group.sorted { ($0.number, $0.path) < ($1.number, $1.path) }.map(\.path) }
  }

  var total: Int? { posts.count }

  var leftOut: [(what: String, count: Int)] {
    let bare = files.count - sidecars.count
    let long = longSidecars.count
    return (bare > 0 ? [("files without a sidecar", bare)] : [])
      + (long > 0 ? [("sidecars that are too long", long)] : []) + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    for paths in posts {
      guard let date = paths.compactMap({ files[$0] }).first else { continue }
      let facts = try paths.map { try self.facts(in: sidecars[$0] ?? []) }
      try found(Catalogue.sidecarPost(facts, paths: paths, date: date))
    }
  }

  /// The file that a sidecar is about: a name with two endings, the first of which is that of a picture, video or sound.
  static func file(of sidecar: String) -> String? {
    guard let ending = endings.first(where: sidecar.hasSuffix) else { return nil }
    let file = String(sidecar.dropLast(ending.count))
    let parts = file.split(separator: ".")
    return parts.count > 1 && DownloadedPost.kind(ofFile: file) != .file ? file : nil
  }

  private func facts(in paths: [String]) throws -> SidecarFacts {
    let (facts, long) = try Self.facts(in: paths, of: tree)
    longSidecars.formUnion(long)
    return facts
  }

  /// What sidecars say, and which are too long.
  static func facts(in paths: [String], of tree: any ImportTree) throws -> (SidecarFacts, long: Set<String>) {
    let facts = Mutex(SidecarFacts())
    let long = Mutex(Set<String>())
    for path in paths.sorted() {
      try tree.eachFile(named: [path]) { file in
        guard let bytes = try file.readAll(most: longest) else {
          return long.withLock { _ = $0.insert(path) }
        }
        facts.withLock { $0.read(bytes, as: path) }
      }
    }
    return (facts.withLock(\.self), long.withLock(\.self))
  }
}

extension SidecarFacts {
  /// Takes what a sidecar says.
  fileprivate mutating func read(_ bytes: [UInt8], as path: String) {
    if path.hasSuffix(".json") { return read(json: bytes) }
    if path.hasSuffix(".xmp") { return read(xmp: bytes) }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    if path.hasSuffix(".urls.txt") { urls += lines } else { read(tags: lines) }
  }
}

import FoundationEssentials
import Machine
import Services
import Synchronization

extension ImportFormat {
  static let hydrus = ImportFormat(
    "hydrus", "a folder of files with hydrus's sidecars, or those of an export",
    isMark: { path, head in
      if path.hasSuffix(".xmp") { return String(decoding: head, as: UTF8.self).contains("xmpmeta") }
      guard path.hasSuffix(".json") else { return SidecarReader.isOfTags(path) }
      return ["\"origin\"", "\"attachments\""].contains { DescribedForm.says($0, head) }
    },
    reader: SidecarReader.init)
}

/// Reads a folder in which tags and addresses lie beside each file: `NAME.EXT.txt`, `NAME.EXT.urls.txt`, `NAME.EXT.json`
/// and `NAME.EXT.xmp`, or `NAME.xmp`. Files that were seen at one page are one post.
final class SidecarReader: ImportReader {
  private let tree: any ImportTree
  private var files: [String: Date] = [:]
  private var empty: Set<String> = []
  private var sidecars: [String: [String]] = [:]
  /// The files of each post, in order.
  private var posts: [[String]] = []
  /// Files that are imported as nothing, and why.
  private var strange: [(path: String, reason: String)] = []

  private static let endings = [".urls.txt", ".txt", ".json", ".xmp"]
  /// A post with the texts of its pictures may be long.
  private static let longest = 8 << 20

  /// Looks which files have sidecars, and which of them belong together.
  ///
  /// - Throws: `ImportError.packed` if the tree is no folder, and `ImportError.unfit` if no file has a sidecar.
  init(_ tree: any ImportTree) throws {
    guard tree.isRandomAccess else { throw ImportError.packed(path: tree.name, format: ImportFormat.hydrus.name) }
    self.tree = tree
    try tree.eachFile { file in
      if file.fileName.hasPrefix(".") { return true }
      files[file.path] = file.modifiedAt
      if file.byteCount == 0 { empty.insert(file.path) }
      return true
    }
    addNamedByFile()
    addNamedByStem()
    if sidecars.isEmpty {
      throw ImportError.unfit(
        path: tree.name, format: ImportFormat.hydrus.name, reason: "no file in it has a sidecar")
    }
    posts = try grouped()
  }

  /// A file may have any form, also that of a sidecar, if there is nothing that it could be about. What lies beside a sidecar says
  /// nothing.
  private func addNamedByFile() {
    let all = Set(files.keys)
    func owner(_ path: String) -> String? {
      Self.endings.lazy.filter(path.hasSuffix).map { String(path.dropLast($0.count)) }.first(where: all.contains)
    }
    for path in all {
      guard let owned = owner(path) else { continue }
      if owner(owned) == nil { sidecars[owned, default: []].append(path) }
      files[path] = nil
    }
  }

  /// Programs for photographs write `NAME.xmp` for `NAME.EXT`.
  private func addNamedByStem() {
    let packets = files.keys.filter { $0.hasSuffix(".xmp") }
    if packets.isEmpty { return }
    let others = files.keys.filter { path in !Self.endings.contains(where: path.hasSuffix) }
    let byStem = Dictionary(grouping: others) { PathText.stem(of: $0) }
    for packet in packets {
      guard let owners = byStem[PathText.stem(of: packet)] else { continue }
      for owner in owners { sidecars[owner, default: []].append(packet) }
      files[packet] = nil
    }
  }

  private func grouped() throws -> [[String]] {
    var indices: [String: Int] = [:]
    var groups: [[(path: String, number: Int)]] = []
    var faults: [Int: String] = [:]
    for (path, own) in sidecars.sorted(by: { $0.key < $1.key }) {
      let facts = try Self.facts(in: own, of: tree)
      let fault = facts.fault ?? linked(path)
      // Of a file without a page nothing else would be left.
      if let fault = fault ?? (empty.contains(path) ? "it is empty" : nil), facts.identity == nil {
        strange.append((path, fault))
        continue
      }
      let index = facts.identity.flatMap { indices[$0] } ?? groups.count
      if index == groups.count { groups.append([]) }
      if let identity = facts.identity { indices[identity] = index }
      groups[index].append((path, facts.number ?? .max))
      if let fault { faults[index] = fault }
    }
    // What one sidecar would have said, such as who may see it, holds for the whole post.
    for (index, fault) in faults.sorted(by: { $0.key < $1.key }) {
      strange += groups[index].map { ($0.path, fault) }
      groups[index] = []
    }
    return groups.filter { !$0.isEmpty }
      .map { group in group.sorted { ($0.number, $0.path) < ($1.number, $1.path) }.map(\.path) }
  }

  /// Why a file is not imported that has a link where a sidecar may be: links are not followed.
  private func linked(_ path: String) -> String? {
    let names = Self.endings.map { path + $0 } + ["\(PathText.stem(of: path)).xmp"]
    return names.first(where: tree.isLink).map { "its sidecar \(PathText.name(of: $0)) is a link" }
  }

  var total: Int? { posts.count + strange.count }

  var leftOut: [(what: String, count: Int)] {
    let bare = files.count - sidecars.count
    return (bare > 0 ? [("files without a sidecar", bare)] : []) + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    for (path, reason) in strange { try found(FoundPost(unreadable: path, reason)) }
    for paths in posts {
      guard let date = paths.compactMap({ files[$0] }).first else { continue }
      let facts = try paths.map { try Self.facts(in: sidecars[$0] ?? [], of: tree) }
      let fault = facts.lazy.compactMap(\.fault).first
      try found(
        fault.map { FoundPost(unreadable: paths[0], $0) }
          ?? Catalogue.sidecarPost(facts, paths: paths, date: date))
    }
  }

  /// Whether a name is that of a sidecar of tags or addresses: it has two endings, the first of which may be that of a file's form.
  static func isOfTags(_ path: String) -> Bool {
    if path.hasSuffix(".urls.txt") { return true }
    guard path.hasSuffix(".txt") else { return false }
    let ending = PathText.fileExtension(of: PathText.name(of: String(path.dropLast(".txt".count))))
    let isForm = (3...4).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return DownloadedPost.kind(ending) != .file || isForm && !ending.allSatisfy(\.isNumber)
  }

  /// What sidecars say.
  static func facts(in paths: [String], of tree: any ImportTree) throws -> SidecarFacts {
    let facts = Mutex(SidecarFacts())
    for path in paths.sorted() {
      let fault = Mutex<String?>("it went away")
      try tree.eachFile(named: [path]) { file in
        let bytes = try file.readAll(most: longest)
        let reason = facts.withLock { $0.read(bytes, as: path) }
        fault.withLock { $0 = reason }
      }
      guard let reason = fault.withLock(\.self) else { continue }
      facts.withLock {
        $0.fault = $0.fault ?? "its sidecar \(PathText.name(of: path)) cannot be read: \(reason)"
      }
    }
    return facts.withLock(\.self)
  }
}

extension SidecarFacts {
  /// Takes what a sidecar says.
  ///
  /// - Parameter bytes: Its bytes; nil if there are more than are read.
  /// - Returns: Why it cannot be read; nil if it can.
  fileprivate mutating func read(_ bytes: [UInt8]?, as path: String) -> String? {
    guard let bytes = bytes.map(WideText.utf8) else { return "it is too long" }
    if path.hasSuffix(".json") { return read(json: bytes) }
    if path.hasSuffix(".xmp") { return read(xmp: bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return "it is no UTF-8" }
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    if path.hasSuffix(".urls.txt") { urls += lines } else { read(tags: lines) }
    return nil
  }
}

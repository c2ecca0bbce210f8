import FoundationEssentials
import JSONReading
import Services
import Synchronization

extension ImportFormat {
  static let hydrus = ImportFormat(
    "hydrus", "a folder of files with hydrus's sidecars",
    isMark: { path, _ in SidecarReader.file(of: path) != nil && !path.hasSuffix(".json") },
    reader: SidecarReader.init)
}

/// Reads a folder in which tags and addresses lie beside each file: `NAME.EXT.txt`, `NAME.EXT.urls.txt` and
/// `NAME.EXT.json`.
final class SidecarReader: ImportReader {
  private struct Kept {
    var tags: [String] = []
    var urls: [String] = []

    /// Takes what a sidecar says.
    mutating func read(_ bytes: [UInt8], as path: String) {
      if path.hasSuffix(".json") {
        guard let fields = JSONObject(bytes) else { return }
        let inner = fields.object("metadata") ?? fields
        tags += inner.list("tags", most: 10_000).compactMap(\.string)
        urls += inner.list("urls", most: 1000).compactMap(\.string)
        return
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
      if path.hasSuffix(".urls.txt") { urls += lines } else { tags += lines }
    }
  }

  private let tree: any ImportTree
  private var files: [String: Date] = [:]
  private var sidecars: [String: [String]] = [:]

  private static let endings = [".urls.txt", ".txt", ".json"]
  private static let longest = 1 << 20

  /// Looks which files have sidecars.
  init(_ tree: any ImportTree) throws {
    self.tree = tree
    try tree.eachFile { file in
      if let owner = Self.file(of: file.path) {
        sidecars[owner, default: []].append(file.path)
      } else {
        files[file.path] = file.modifiedAt
      }
      return true
    }
    sidecars = sidecars.filter { files[$0.key] != nil }
  }

  var total: Int? { sidecars.count }

  var leftOut: [(what: String, count: Int)] {
    let bare = files.count - sidecars.count
    return (bare > 0 ? [("files without a sidecar", bare)] : []) + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    for (path, own) in sidecars.sorted(by: { $0.key < $1.key }) {
      guard let date = files[path] else { continue }
      let kept = try kept(in: own.sorted())
      let ending = path.split(separator: ".").last.map(String.init)
      var post = Catalogue.sidecarPost(tags: kept.tags, urls: kept.urls, ending: ending, date: date)
      post.files = [path]
      try found(post)
    }
  }

  /// The file that a sidecar is about: a name with two endings, the first of which is that of a picture, video or sound.
  static func file(of sidecar: String) -> String? {
    guard let ending = endings.first(where: sidecar.hasSuffix) else { return nil }
    let file = String(sidecar.dropLast(ending.count))
    let parts = file.split(separator: ".")
    return parts.count > 1 && DownloadedPost.kind(parts.last.map(String.init)) != .file ? file : nil
  }

  private func kept(in paths: [String]) throws -> Kept {
    let kept = Mutex(Kept())
    for path in paths {
      try tree.eachFile(named: [path]) { file in
        guard let bytes = try file.readAll(most: Self.longest) else { return }
        kept.withLock { $0.read(bytes, as: path) }
      }
    }
    return kept.withLock(\.self)
  }
}

import FoundationEssentials
import Posts
import Services

extension ImportFormat {
  static let galleryDL = ImportFormat(
    "gallery-dl", "a folder of gallery-dl, downloaded with --write-metadata",
    isMark: { path, head in
      let start = String(decoding: head, as: UTF8.self)
      return path.hasSuffix(".json") && start.first { !$0.isWhitespace } == "{" && start.contains("\"category\"")
    },
    reader: GalleryDLReader.init)
}

/// Reads a folder of gallery-dl. Beside each file `NAME.EXT` lies its description, `NAME.EXT.json`.
final class GalleryDLReader: ImportReader {
  private struct Part {
    let number: Int
    let path: String
  }

  private let tree: any ImportTree
  /// The descriptions of each post, in the order in which the posts were found.
  private var posts: [[Part]] = []
  /// Descriptions that name no post, and are too long.
  private var strange: [String] = []
  private var files: Set<String> = []
  private var undescribed = 0

  /// The most bytes of a description.
  private static let longest = 4 << 20

  init(_ tree: any ImportTree) throws {
    guard tree.isRandomAccess else {
      throw ImportError.unfit(path: tree.name, format: "gallery-dl", reason: "it is no folder")
    }
    self.tree = tree
    try index()
  }

  var total: Int? { posts.count + strange.count }

  var leftOut: [(what: String, count: Int)] {
    (undescribed > 0 ? [("files without a description", undescribed)] : []) + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    for path in strange { try found(Self.unreadable(path, "it is no description of a file")) }
    for parts in posts {
      let texts = parts.map { try? text(of: $0.path) }
      let whole = texts.compactMap(\.self)
      guard whole.count == parts.count else {
        try found(Self.unreadable(parts[0].path, "a file went away while the folder was read"))
        continue
      }
      let files = parts.map { file(of: $0.path) }
      try found(FoundPost(Self.item(whole, hasFiles: files.contains { $0 != nil }), files: files))
    }
  }

  /// The post. The description of a whole gallery describes no file.
  private static func item(_ descriptions: [[UInt8]], hasFiles: Bool) -> PageItem {
    var item = Catalogue.downloadedPost(descriptions)
    guard !hasFiles, case .post(var post) = item.content else { return item }
    post.attachments.removeAll { $0.url == nil && $0.remoteID == nil }
    item.content = .post(post)
    return item
  }

  /// Reads which description belongs to which post. What is kept of each is small.
  private func index() throws {
    var places: [String: Int] = [:]
    try tree.eachFile { file in
      guard file.path.hasSuffix(".json") else {
        files.insert(file.path)
        return true
      }
      guard let bytes = try file.readAll(most: Self.longest), let part = DownloadedFile(bytes) else {
        strange.append(file.path)
        return true
      }
      let place = places[part.post] ?? posts.count
      if place == posts.count {
        places[part.post] = place
        posts.append([])
      }
      posts[place].append(Part(number: part.number, path: file.path))
      return true
    }
    for index in posts.indices {
      // A gallery's own description, `info.json`, belongs to no file.
      let described = posts[index].filter { file(of: $0.path) != nil }
      posts[index] = (described.isEmpty ? posts[index] : described).sorted {
        ($0.number, $0.path) < ($1.number, $1.path)
      }
    }
    let described = posts.reduce(0) { $0 + $1.count { file(of: $0.path) != nil } }
    undescribed = files.count - described
  }

  private func text(of path: String) throws -> [UInt8]? {
    let box = Box()
    try tree.eachFile(named: [path]) { box.bytes = try $0.readAll(most: Self.longest) }
    return box.bytes
  }

  private final class Box: @unchecked Sendable { var bytes: [UInt8]? }

  private func file(of description: String) -> String? {
    let name = String(description.dropLast(".json".count))
    return files.contains(name) ? name : nil
  }

  private static func unreadable(_ path: String, _ reason: String) -> FoundPost {
    FoundPost(PageItem(id: path, content: .unreadable(reason: reason), raw: Array(path.utf8)))
  }
}

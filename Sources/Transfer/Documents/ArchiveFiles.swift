import Posts
import Services

/// The paths of an archive's files, and which of them belong to posts.
struct ArchiveFiles {
  private var paths: Set<String> = []
  private var used: Set<String> = []
  /// All paths in order, for those of which only the beginning is known.
  private lazy var sorted: [String] = paths.sorted()

  var count: Int { paths.count }

  /// Pictures, videos and sounds that belong to no post, in order.
  var unused: [String] {
    paths.subtracting(used).filter { DownloadedPost.kind(ofFile: $0) != .file }.sorted()
  }

  mutating func insert(_ path: String) { paths.insert(path) }

  /// Finds the files of a post's attachments beside its document, or in a folder above. The nearest counts.
  ///
  /// A file of which only the beginning of the name is known is one of its kind that no other attachment of the post has.
  mutating func find(_ files: [ArchiveForm.File?], of kinds: [Attachment.Kind], from document: String) -> [String?] {
    let folders = Self.folders(above: document)
    var found = files.map { file in file.flatMap { first(of: $0.paths, in: folders) } }
    for (index, file) in files.enumerated() where found[index] == nil {
      guard let file, kinds.indices.contains(index) else { continue }
      let isFilm = [.video, .gifv].contains(kinds[index])
      for folder in folders where found[index] == nil {
        for beginning in file.beginnings where found[index] == nil {
          found[index] = paths(from: folder + beginning).first { path in
            !found.contains(path) && (DownloadedPost.kind(ofFile: path) == .video) == isFilm
          }
        }
      }
    }
    used.formUnion(found.compactMap(\.self))
    return found
  }

  /// Posts name files by their addresses, in which letters may stand as their codes.
  private func first(of paths: [String], in folders: [String]) -> String? {
    let paths = paths + paths.compactMap(\.percentDecoded)
    for folder in folders {
      if let path = paths.first(where: { self.paths.contains(folder + $0) }) { return folder + path }
    }
    return nil
  }

  /// The paths with that beginning.
  private mutating func paths(from beginning: String) -> ArraySlice<String> {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < beginning { low = middle + 1 } else { high = middle }
    }
    return sorted[low...].prefix { $0.hasPrefix(beginning) }
  }

  /// `a/b/`, `a/` and the empty text for `a/b/c.json`.
  private static func folders(above document: String) -> [String] {
    var parts = document.split(separator: "/")[...]
    var folders: [String] = []
    while !parts.isEmpty {
      parts = parts.dropLast()
      folders.append(parts.isEmpty ? "" : parts.joined(separator: "/") + "/")
    }
    return folders
  }
}

import Posts
import Services

extension ImportFormat {
  static let galleryDL = ImportFormat(
    "gallery-dl", "a folder of gallery-dl, downloaded with --write-metadata",
    isMark: { path, head in
      path.hasSuffix(".json") && !path.hasSuffix(".info.json") && DescribedForm.says("\"category\"", head)
    },
    reader: { try DescribedReader($0, .galleryDL) })

  static let ytDlp = ImportFormat(
    "yt-dlp", "a folder of yt-dlp, downloaded with --write-info-json",
    isMark: { path, head in path.hasSuffix(".info.json") && DescribedForm.says("\"id\"", head) },
    reader: { try DescribedReader($0, .ytDlp) })

  static let instaloader = ImportFormat(
    "instaloader", "a folder of instaloader",
    isMark: { path, head in
      path.hasSuffix("_UTC.json.xz") || path.hasSuffix("_UTC.json") && DescribedForm.says("\"node\"", head)
    },
    reader: { try DescribedReader($0, .instaloader) })
}

/// Where a download program writes the descriptions of its files.
struct DescribedForm: Sendable {
  let name: String
  /// Whether a file is a description, by its path.
  let isDescription: @Sendable (String) -> Bool
  /// The files that a description describes, in order, whether they are there or not.
  let files: @Sendable (_ description: String, _ said: DownloadedFile, _ exists: (String) -> Bool) -> [String]

  /// Beside each `NAME.EXT` lies `NAME.EXT.json`.
  static let galleryDL = DescribedForm(name: "gallery-dl", isDescription: { $0.hasSuffix(".json") }) {
    path, _, exists in
    let file = String(path.dropLast(".json".count))
    return exists(file) || DownloadedPost.kind(ofFile: file) != .file ? [file] : []
  }

  /// Beside each `NAME.EXT` lies `NAME.info.json`.
  static let ytDlp = DescribedForm(name: "yt-dlp", isDescription: { $0.hasSuffix(".info.json") }) {
    path, said, exists in
    let stem = path.dropLast(".info.json".count)
    let folder = path.prefix(path.lastIndex(of: "/").map { path.distance(from: path.startIndex, to: $0) + 1 } ?? 0)
    let films = said.endings + filmEndings
    func first(_ stem: some StringProtocol, _ endings: [String]) -> String? {
      endings.lazy.map { "\(stem).\($0)" }.first(where: exists)
    }
    if let file = said.names.lazy.map({ "\(folder)\($0)" }).first(where: exists) ?? first(stem, films) { return [file] }
    // Picture and sound stay apart where nothing joined them.
    let parts = said.formats.compactMap { first("\(stem).f\($0)", films) }
    if !parts.isEmpty { return parts }
    if let still = first(stem, ["jpg", "jpeg", "png", "webp", "avif", "gif"]) { return [still] }
    return said.endings.map { "\(stem).\($0)" }
  }

  private static let filmEndings = [
    "mp4", "mkv", "webm", "mov", "m4v", "flv", "avi", "ts", "mpg", "mpeg", "ogv", "3gp", "wmv", "f4v",
    "m4a", "mp3", "opus", "ogg", "oga", "flac", "wav", "aac", "mka", "weba", "wma",
  ]

  /// Beside `NAME.EXT`, or `NAME_1.EXT`, `NAME_2.EXT` and so on, lies `NAME.json` or `NAME.json.xz`.
  static let instaloader = DescribedForm(
    name: "instaloader", isDescription: { $0.hasSuffix("_UTC.json") || $0.hasSuffix("_UTC.json.xz") }
  ) { path, said, exists in
    let stem = path.dropLast(path.hasSuffix(".xz") ? ".json.xz".count : ".json".count)
    // A film's still has the film's name.
    let endings = ["mp4", "jpg", "webp", "png", "heic"]
    func file(_ stem: some StringProtocol) -> String? { endings.map { "\(stem).\($0)" }.first { exists($0) } }
    if let only = file(stem) { return [only] }
    let numbered = (1...(said.endings.count > 1 ? said.endings.count : 100)).map { file("\(stem)_\($0)") }
    let last = numbered.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
    if last == 0, said.endings.count == 1 { return ["\(stem).\(said.endings[0])"] }
    return (0..<max(last, said.endings.count)).map { index in
      let ending = said.endings.indices.contains(index) ? said.endings[index] : "jpg"
      return (index < last ? numbered[index] : nil) ?? "\(stem)_\(index + 1).\(ending)"
    }
  }

  /// Whether the beginning of a JSON object holds a text.
  static func says(_ text: String, _ head: [UInt8]) -> Bool {
    let start = String(decoding: head, as: UTF8.self)
    return start.first { !$0.isWhitespace } == "{" && start.contains(text)
  }
}

import FoundationEssentials
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
  /// The file that a description names by its own name, whether it is there or not; nil if it names none.
  var named: @Sendable (_ description: String) -> String? = { _ in nil }
  /// The files that a description describes, in order.
  let files: @Sendable (_ description: String, _ exists: (String) -> Bool) -> [String]

  /// Beside each `NAME.EXT` lies `NAME.EXT.json`.
  static let galleryDL = DescribedForm(
    name: "gallery-dl", isDescription: { $0.hasSuffix(".json") },
    named: { path in
      let file = String(path.dropLast(".json".count))
      return DownloadedPost.kind(ofFile: file) == .file ? nil : file
    }
  ) { path, exists in
    [String(path.dropLast(".json".count))].filter(exists)
  }

  /// Beside each `NAME.EXT` lies `NAME.info.json`.
  static let ytDlp = DescribedForm(name: "yt-dlp", isDescription: { $0.hasSuffix(".info.json") }) { path, exists in
    let stem = path.dropLast(".info.json".count)
    let endings = ["mp4", "mkv", "webm", "mov", "m4a", "mp3", "opus", "ogg", "flac", "wav", "jpg", "png", "webp"]
    return Array(endings.map { "\(stem).\($0)" }.filter(exists).prefix(1))
  }

  /// Beside `NAME.EXT`, or `NAME_1.EXT`, `NAME_2.EXT` and so on, lies `NAME.json` or `NAME.json.xz`.
  static let instaloader = DescribedForm(
    name: "instaloader", isDescription: { $0.hasSuffix("_UTC.json") || $0.hasSuffix("_UTC.json.xz") }
  ) { path, exists in
    let stem = path.dropLast(path.hasSuffix(".xz") ? ".json.xz".count : ".json".count)
    // A film's still has the film's name.
    let endings = ["mp4", "jpg", "webp", "png", "heic"]
    func file(_ stem: some StringProtocol) -> String? { endings.map { "\(stem).\($0)" }.first { exists($0) } }
    if let only = file(stem) { return [only] }
    var files: [String] = []
    while files.count < 100, let next = file("\(stem)_\(files.count + 1)") { files.append(next) }
    return files
  }

  /// Whether the beginning of a JSON object holds a text.
  static func says(_ text: String, _ head: [UInt8]) -> Bool {
    let start = String(decoding: head, as: UTF8.self)
    return start.first { !$0.isWhitespace } == "{" && start.contains(text)
  }
}

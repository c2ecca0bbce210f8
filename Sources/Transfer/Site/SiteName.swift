import Blobs
import Storage

/// The names of a site's files. They are letters, digits and hyphens, whatever posts contain, and differ in more than the case
/// of their letters.
enum SiteName {
  /// The longest part of a name that is kept as it is.
  private static let longest = 40
  /// Names of devices on Windows (https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file).
  private static let reserved: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// The name of a tag or an author. Where it cannot be kept as it is, a digest makes it unique.
  static func of(_ text: String) -> String {
    let plain = text.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "-")
      }
    }
    let name = String(decoding: plain.prefix(longest), as: UTF8.self)
    let isKept = name == text && !name.isEmpty && name.first != "-" && !reserved.contains(name)
    if isKept { return name }
    let rest = name.drop { $0 == "-" }
    return "\(rest.isEmpty ? "x" : rest)-\(BlobID(hashing: Array(text.utf8)).hex.prefix(12))"
  }

  static func post(_ id: Int64) -> String { "post/\(id).html" }
  static func album(page: Int) -> String { page == 0 ? "index.html" : "album\(part(page)).html" }
  static func month(_ month: String, page: Int = 0) -> String { "month/\(month)\(part(page)).html" }
  static func tag(_ tag: String, page: Int = 0) -> String { "tag/\(of(tag))\(part(page)).html" }
  static func author(_ handle: String, page: Int = 0) -> String { "author/\(of(handle))\(part(page)).html" }
  static func thumbnail(_ blob: BlobID) -> String { "thumb/\(blob.folderName)/\(blob.hex.dropFirst(2)).webp" }

  /// A picture or file. A browser runs what it takes for a page, so only harmless types keep their names.
  static func media(_ file: StoredAttachment, _ blob: BlobID) -> String {
    let type = file.mediaType.flatMap { extensions[$0] } ?? "bin"
    return "media/\(blob.folderName)/\(blob.hex.dropFirst(2)).\(type)"
  }

  /// Two underscores, which no name has: the second page of a tag is not the page of another.
  private static func part(_ page: Int) -> String { page == 0 ? "" : "__\(page + 1)" }

  private static let extensions = [
    "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
    "image/jxl": "jxl", "image/heic": "heic", "image/jp2": "jp2", "image/vnd.microsoft.icon": "ico",
    "image/bmp": "bmp", "image/tiff": "tiff", "video/mp4": "mp4",
    "video/webm": "webm", "video/quicktime": "mov", "video/x-matroska": "mkv", "audio/mpeg": "mp3", "audio/ogg": "ogg",
    "audio/mp4": "m4a", "audio/flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "application/pdf": "pdf",
    "text/plain": "txt",
  ]
}

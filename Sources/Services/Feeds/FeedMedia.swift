import Foundation
import Markup
import Posts

/// A picture or file of an item, as far as the feed tells.
struct FeedMedia: Equatable {
  var kind: Attachment.Kind
  var url: String
  var preview: String?
  var alt: String?
  var width: Int?
  var height: Int?
  var bytes: Int?

  /// How large it is among its alternatives: by its area, then by its bytes.
  var size: (area: Int, bytes: Int) { ((width ?? 0) * (height ?? 0), bytes ?? 0) }

  /// The attachment as every source has it.
  var attachment: Attachment {
    Attachment(
      kind: kind, url: url, previewURL: preview, alt: Bounds.block(alt), width: width, height: height)
  }

  /// What tells two pictures apart: a page shows one in several sizes, named by WordPress `bird-300x200.jpg`, by others
  /// in the query.
  var key: String {
    let place = WebPlace.key(of: url)
    let path = place.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."), FeedMedia.kinds[path[path.index(after: dot)...].lowercased()] != nil else {
      return place
    }
    let stem = path[..<dot]
    guard let dash = stem.lastIndex(of: "-") else { return String(path) }
    let size = stem[stem.index(after: dash)...].split(separator: "x", omittingEmptySubsequences: false)
    let isSize = size.count == 2 && size.allSatisfy { (1...5).contains($0.count) && $0.allSatisfy(\.isNumber) }
    return isSize ? String(stem[..<dash] + path[dot...]) : String(path)
  }

  /// What a file is by the words of Media RSS, by its media type, by how its address ends.
  static func kind(medium: String?, type: String?, url: String) -> Attachment.Kind {
    switch medium?.lowercased() {
    case "image": return .image
    case "video": return .video
    case "audio": return .audio
    default: break
    }
    switch type?.lowercased().prefix(while: { $0 != "/" }) {
    case "image": return .image
    case "video": return .video
    case "audio": return .audio
    default: break
    }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    return ending.flatMap { kinds[$0] } ?? .file
  }

  fileprivate static let kinds: [String: Attachment.Kind] = [
    "jpg": .image, "jpeg": .image, "png": .image, "gif": .image, "webp": .image, "avif": .image, "jxl": .image,
    "heic": .image, "bmp": .image, "mp4": .video, "webm": .video, "mov": .video, "m4v": .video, "mp3": .audio,
    "m4a": .audio, "ogg": .audio, "opus": .audio, "flac": .audio, "wav": .audio,
  ]

  /// A number of pixels or bytes, as an attribute has it: `640`, `640px`.
  static func number(_ text: String?, most: Int = 1_000_000) -> Int? {
    guard let digits = text?.trimmed.prefix(while: { $0.isASCII && $0.isNumber }), let number = Int(digits) else {
      return nil
    }
    return (1...most).contains(number) ? number : nil
  }

  /// The pictures in a text: those that nobody sees (a pixel that counts readers) and those that stand for a character
  /// left out.
  static func pictures(in html: String, base: String) -> [FeedMedia] {
    StartTags.find(["img"], in: Array(html.utf8), most: 4 * Bounds.attachments).compactMap { tag in
      let width = tag["width"], height = tag["height"]
      let isSmall = [width, height].contains { $0.map { ["0", "1", "0px", "1px"].contains($0) } ?? false }
      let looks = tag["class"]?.lowercased() ?? ""
      guard !isSmall, !looks.contains("emoji"), !looks.contains("smiley"),
        let url = ["src", "data-src", "data-original", "data-lazy-src"].lazy
          .compactMap({ FeedAddress.resolve(tag[$0], against: base) }).first
      else { return nil }
      return FeedMedia(kind: .image, url: url, alt: tag["alt"], width: number(width), height: number(height))
    }
  }
}

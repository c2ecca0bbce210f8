import FoundationEssentials
import Machine
import Posts
import Storage
import Web
import Wording

/// The name of a downloaded file, such as `2026-11-21 birds 17-2.jpg`. Whatever it is made of, it is one name in a folder.
struct DownloadName: Sendable, Equatable {
  /// The name.
  let text: String

  /// The name of an attachment: its own, or the day, the author, the post's number, and the attachment's if there are
  /// several.
  init(of attachment: StoredAttachment, number: Int, in post: StoredPost, zone: TimeZone = .autoupdatingCurrent) {
    let type = ServedType(mediaType: attachment.mediaType)
    if let name = attachment.name {
      self.init(name, type)
      return
    }
    let day = MomentText(zone).day(post.createdAt)
    let author = post.author.map { String($0.handle.prefix { $0 != "@" }) } ?? ""
    let part = post.attachments.count > 1 ? "\(post.id)-\(number)" : "\(post.id)"
    let words = [day, author, part].filter { !$0.isEmpty }.joined(separator: " ")
    self.init(type.type == nil ? words + Self.fileExtension(of: attachment.url) : words, type)
  }

  /// A name that a request gives. The extension is that of the type; a file of unknown type keeps a plain one.
  init(_ text: String, _ type: ServedType) {
    var stem = Self.cleaned(text)
    var ending = type.fileExtension.map { ".\($0)" }
    let last = stem.utf8.lastIndex(of: UInt8(ascii: "."))
    if let last, last > stem.startIndex, Self.isExtension(stem[last...]) {
      if ending == nil { ending = String(stem[last...]) }
      stem = String(stem[..<last])
    }
    while stem.utf8.count > Self.limit { stem.removeLast() }
    self.text = (stem.isEmpty ? "file" : stem) + (ending ?? "")
  }

  /// The header that saves the bytes under this name (RFC 6266). Old browsers read `filename`, others `filename*`.
  var disposition: String {
    let ascii = text.unicodeScalars.map { $0.isASCII && !"\"\\%".unicodeScalars.contains($0) ? String($0) : "_" }
      .joined()
    let isPlain = ascii == text
    return "attachment; filename=\"\(ascii)\"" + (isPlain ? "" : "; filename*=UTF-8''\(text.headerEncoded)")
  }

  /// The address of a blob's download.
  func address(of blob: String) -> String { "/blob/\(blob)?name=\(text.queryEncoded)" }

  /// The maximum length without the extension, in bytes. Most file systems allow 255.
  private static let limit = 120

  /// Without what leads out of a folder, what a file system refuses, and what makes a name look like another.
  private static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return "_"
      default: return "/\\<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar
      }
    }
    let name = String(String.UnicodeScalarView(scalars)).trimmingWhiteSpace
    // A leading dot hides a file, and Windows drops one at the end.
    return String(name.drop { $0 == "." }.reversed().drop { $0 == "." }.reversed())
  }

  /// The extension in an address, with its dot; empty if there is none.
  private static func fileExtension(of address: String?) -> String {
    let path = address.flatMap { URLComponents(webAddress: $0)?.path } ?? ""
    let name = PathText.name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, isExtension(name[dot...]) else {
      return ""
    }
    return name[dot...].lowercased()
  }

  /// Whether a text is a dot and one to five ASCII letters or digits.
  private static func isExtension(_ text: Substring) -> Bool {
    let letters = text.utf8.dropFirst()
    return (1...5).contains(letters.count)
      && letters.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
  }
}

extension String {
  /// Percent-encoded for a parameter of a header (RFC 8187, 3.2.1).
  fileprivate var headerEncoded: String {
    queryEncoded.replacing(":", with: "%3A").replacing("@", with: "%40").replacing("/", with: "%2F")
  }
}

import Blobs
import FoundationEssentials
import Machine
import Posts
import Storage

/// A file of a post, with its place by a template.
package struct NamedFile {
  package private(set) var folders: [FileName]
  package let name: FileName

  /// - Parameters:
  ///   - post: The post.
  ///   - index: The index of the attachment.
  ///   - template: The template.
  package init(_ post: StoredPost, _ index: Int, by template: NameTemplate) {
    let values = NameValues(post: post, index: index)
    folders = template.folders.map { FileName(folder: $0.map(values.text).joined()) }
    // The extension at the end stays when the name is cut.
    var pieces = template.file[...]
    var ending = ""
    if case .field(.ext, _, let missing) = pieces.last {
      ending = values.value(of: .ext, "") ?? missing ?? ""
      pieces.removeLast()
      if case .text(let text) = pieces.last, text.hasSuffix(".") {
        pieces.removeLast()
        pieces.append(.text(String(text.dropLast())))
      } else {
        pieces.append(.text(ending))
        ending = ""
      }
    }
    name = FileName(stem: pieces.map(values.text).joined(), ending: ending)
  }

  /// The same file in a folder.
  func `in`(_ folder: FileName) -> NamedFile {
    var file = self
    file.folders.insert(folder, at: 0)
    return file
  }
}

/// The values of a template's fields.
private struct NameValues {
  let post: StoredPost
  let index: Int

  /// The most bytes that a text gives, so that a long caption leaves room for what follows it.
  private static let longest = 120

  func text(_ piece: NameTemplate.Piece) -> String {
    switch piece {
    case .text(let text): text
    case .field(let field, let format, let missing): value(of: field, format) ?? missing ?? "no \(field.rawValue)"
    }
  }

  /// Nil if there is none.
  func value(of field: NameField, _ format: String) -> String? {
    let attachment = post.attachments[index]
    let value: String? =
      switch field {
      case .source: post.source.rawValue
      case .server: post.server.flatMap { URLComponents(webAddress: $0)?.hostName }
      case .author: post.author?.handle
      case .name: post.author?.name
      case .id: "\(post.id)"
      case .remoteID: post.remoteID
      case .n: "\(index + 1)"
      case .date: TimeFormat(format).text(of: post.createdAt)
      case .title: post.title
      case .caption: post.caption.split(whereSeparator: \.isNewline).first.map(String.init)
      case .tag: post.tags.first
      case .filename: attachment.name.map(PathText.stem)
      case .kind: "\(attachment.kind.rawValue)"
      case .sha256: attachment.blob?.hex
      case .ext: Self.fileExtension(of: attachment)
      }
    guard let value, !value.allSatisfy(\.isWhitespace) else { return nil }
    guard [.title, .caption, .name, .tag, .filename].contains(field), value.utf8.count > Self.longest else {
      return value
    }
    var short = Substring(value.prefix(Self.longest))
    while short.utf8.count > Self.longest { short.removeLast() }
    return short.isEmpty ? value : String(short)
  }

  /// The extension of the type that the library found in the bytes; else that of the file's name or address.
  private static func fileExtension(of attachment: StoredAttachment) -> String {
    if let type = attachment.mediaType.flatMap(MediaType.init(rawValue:)) { return type.fileExtension }
    let path = attachment.url.flatMap { URLComponents(webAddress: $0)?.path } ?? ""
    for name in [attachment.name ?? "", PathText.name(of: path)] {
      let ending = name.dropFirst(PathText.stem(of: name).count).dropFirst()
      let isPlain = ending.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
      }
      if (1...5).contains(ending.utf8.count), isPlain { return ending.lowercased() }
    }
    return "bin"
  }
}

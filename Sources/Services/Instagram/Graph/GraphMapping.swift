import FoundationEssentials
import Posts

// Converts posts to the values that all sources share. The API names no users: these posts have no author.

extension GraphMedia {
  /// The post as an entry of a page of `server`.
  ///
  /// It requires a date and an identity: the permalink, which every API returns, else the server's number.
  func pageItem(on server: Server, raw: [UInt8]) -> PageItem {
    let id = Bounds.word(id, bytes: Bounds.id)
    let address = Bounds.webAddress(permalink)
    guard let identity = address.map(InstagramMedia.identity) ?? InstagramMedia.identity(of: id, on: server) else {
      return PageItem(id: id, content: .unreadable(reason: "it has neither permalink nor id"), raw: raw)
    }
    guard let date = createdAt else {
      return PageItem(id: id, content: .unreadable(reason: "it has no usable timestamp"), raw: raw)
    }
    let caption = Bounds.block(caption, bytes: Bounds.caption) ?? ""
    let post = Post(
      source: .instagram, uri: identity, url: address, server: server, remoteID: id,
      createdAt: date, caption: caption, tags: CaptionTags.names(in: caption), attachments: attachments)
    return PageItem(id: id, content: .post(post), raw: raw)
  }

  private var attachments: [Attachment] {
    let parts = children.compactMap(\.attachment)
    return parts.isEmpty ? [file.attachment].compactMap { $0 } : parts
  }
}

extension GraphFile {
  /// The picture or video; nil for an album without an address, which is not a picture. Any other keeps its index.
  var attachment: Attachment? {
    let address = Bounds.webAddress(url)
    guard address != nil || type != nil && type != "CAROUSEL_ALBUM" else { return nil }
    return Attachment(
      kind: type == "VIDEO" ? .video : .image, remoteID: Bounds.word(id, bytes: Bounds.id), url: address)
  }
}

/// The hashtags in a caption, for an API that does not list them.
enum CaptionTags {
  /// Each once, in the caption's order: `#` and what follows it of letters, digits, marks and `_`.
  static func names(in caption: String) -> [String] {
    var (seen, names): (Set<String>, [String]) = ([], [])
    for part in caption.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "#" || $0 == "＃" }).dropFirst()
    {
      let word = String(String.UnicodeScalarView(part.unicodeScalars.prefix(while: isOfTag)))
      guard names.count < Bounds.tags, let name = Bounds.word(Feed.tagName(word), bytes: Bounds.line),
        seen.insert(name).inserted
      else { continue }
      names.append(name)
    }
    return names
  }

  private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark, .connectorPunctuation:
      true
    default: false
    }
  }
}

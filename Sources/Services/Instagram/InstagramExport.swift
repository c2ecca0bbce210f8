import FoundationEssentials
import JSONReading
import Machine
import Posts

// Instagram's export: JSON documents somewhere in its folders, and the files beside them. It names neither addresses nor
// tags, and holds private messages, which nobody reads here.

extension ArchiveForm {
  static let instagram = ArchiveForm(
    "instagram", "an export of Instagram as JSON",
    layout: { path, head in
      let name = fileName(path)
      guard name.hasSuffix(".json"), String(decoding: head, as: UTF8.self).contains("creation_timestamp") else {
        return nil
      }
      if name.hasPrefix("posts_") { return .array(member: nil) }
      switch name {
      case "stories.json": return .array(member: "ig_stories")
      case "reels.json": return .array(member: "ig_reels_media")
      case "igtv_videos.json": return .array(member: "ig_igtv_media")
      case "other_content.json": return .array(member: "ig_other_media")
      case "archived_posts.json": return .array(member: "ig_archived_post_media")
      default: return nil
      }
    },
    isAbout: { fileName($0) == "personal_information.json" },
    about: { About(visibility: InstagramExport.visibility($0)) },
    other: Other(
      what: "Instagram's export as web pages, which hold no times that a program could read",
      cure: "ask Instagram for it once more, in the format JSON",
      isMark: { path in
        let isPage = fileName(path).hasPrefix("posts_") && path.hasSuffix(".html")
        return isPage || path.contains("your_instagram_activity/") && path.hasSuffix(".html")
      })
  ) { element, origin in
    guard let fields = JSONObject(element) else { return unreadable(element) }
    return [InstagramExport.element(fields, element, origin)]
  }
}

enum InstagramExport {
  /// Who may see the account's posts (`personal_information.json`); nil if it does not say that they are not for everybody.
  static func visibility(_ document: [UInt8]) -> Visibility? {
    let user = JSONObject(document)?.objects("profile_user", most: 1).first?.object("string_map_data")
    return user?.object("Private Account")?.string("value")?.lowercased() == "true" ? .followers : nil
  }

  /// Documents of what nobody sees, or of which nothing says who does.
  private static let unseen: Set<Substring> = ["archived_posts.json", "other_content.json"]

  static func element(_ fields: JSONObject, _ raw: [UInt8], _ origin: ArchiveForm.Origin) -> ArchiveForm.Element {
    let listed = fields.objects("media", most: Bounds.attachments)
    let media = listed.isEmpty ? [fields] : listed
    // A post of several pictures has its text and time outside of them.
    let given = fields.value("creation_timestamp") == nil ? media[0] : fields
    guard let date = given.moment("creation_timestamp"), let path = media[0].string("uri") else {
      let lack = media[0].string("uri") == nil ? "names no picture or video" : "has no usable creation_timestamp"
      return .post(FoundPost(PageItem(id: nil, content: .unreadable(reason: "it \(lack)"), raw: raw)))
    }
    let caption = Bounds.block(text(fields.string("title") ?? given.string("title")), bytes: Bounds.caption) ?? ""
    let post = Post(
      source: .instagram, uri: "urn:instagram-export:\(Int(date.timeIntervalSince1970)):\(number(of: path))",
      createdAt: date, caption: caption, visibility: unseen.contains(origin.name) ? .direct : nil,
      tags: CaptionTags.names(in: caption), attachments: media.map(attachment))
    return .post(
      FoundPost(PageItem(id: path, content: .post(post), raw: raw), isFoundByPicture: true),
      files: media.map { $0.string("uri").map { ArchiveForm.File(paths: [$0]) } })
  }

  /// What tells the file of a post from others of the same second. It is the same in every part of an export, whether
  /// the part holds the file or not: the number at the end of its name, or the name.
  private static func number(of path: String) -> String {
    let name = PathText.stem(of: PathText.name(of: path))
    let end = name.split(separator: "_").last ?? ""
    let isNumber = end.utf8.count >= 12 && end.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return Bounds.word(isNumber ? String(end) : name, bytes: Bounds.id) ?? ""
  }

  private static func attachment(_ file: JSONObject) -> Attachment {
    let ending = file.string("uri")?.split(separator: ".").last.map(String.init)
    return Attachment(kind: DownloadedPost.kind(ending), url: nil)
  }

  /// The text as it was written. The export escapes each byte of its UTF-8 as if it were a character of Latin-1.
  static func text(_ text: String?) -> String? {
    guard let text else { return nil }
    guard text.unicodeScalars.allSatisfy({ $0.value < 256 }) else { return text }
    return String(validating: text.unicodeScalars.map { UInt8($0.value) }, as: UTF8.self) ?? text
  }
}

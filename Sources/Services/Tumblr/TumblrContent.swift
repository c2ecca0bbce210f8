import JSONReading
import Markup
import Posts

/// The texts and files of a post.
struct TumblrContent {
  /// The text, without markup.
  var text = ""
  var files: [TumblrFile] = []

  /// A post of blocks (https://www.tumblr.com/docs/npf). Blocks of unknown kinds are left out.
  init(blocks fields: JSONObject) {
    var isAfterItem = false
    for block in fields.objects("content", most: Bounds.attachments) {
      let type = block.string("type")
      switch type {
      case "text":
        let subtype = block.string("subtype")
        let isItem = subtype?.hasSuffix("-list-item") == true
        add((isItem ? "- " : "") + (block.string("text") ?? ""), isClose: isItem && isAfterItem)
        isAfterItem = isItem
        continue
      case "link": add([block.string("title"), block.string("url")].compactMap(\.self).joined(separator: "\n"))
      case "image": files += [TumblrFile(image: block)].compactMap(\.self)
      case "video", "audio":
        let file = TumblrFile(film: block, isVideo: type == "video")
        files += [file].compactMap(\.self)
        if file == nil { add(block.string("url") ?? "") }
      default: break
      }
      isAfterItem = false
    }
  }

  /// A post of one of the older kinds: their texts are HTML, whichever fields hold them.
  init(older fields: JSONObject) {
    let names: [StaticString] = ["question", "body", "text", "source", "caption", "description", "answer", "url"]
    for html in names.compactMap({ fields.string($0) }) {
      add(Caption.plainText(html: Bounds.verbatim(html, bytes: Bounds.caption)))
    }
    files = fields.objects("photos", most: Bounds.attachments).compactMap(TumblrFile.init(photo:))
    let film = fields.string("video_url") ?? fields.string("audio_url")
    if let address = Bounds.webAddress(film) {
      files.append(TumblrFile(kind: fields.has("video_url") ? .video : .audio, url: address))
    }
  }

  private mutating func add(_ more: String, isClose: Bool = false) {
    guard !more.isEmpty, text.utf8.count < Bounds.caption else { return }
    text += text.isEmpty ? more : (isClose ? "\n" : "\n\n") + more
  }
}

/// A picture, video or sound.
struct TumblrFile {
  var kind = Attachment.Kind.image
  var url: String
  var previewURL, alt: String?
  var width, height: Double?

  /// An image block, whose sizes are alternatives. The largest counts.
  init?(image block: JSONObject) {
    self.init(sizes: block.objects("media", most: 50))
    alt = block.string("alt_text")
  }

  /// A photo of the older kind.
  init?(photo: JSONObject) {
    self.init(sizes: [photo.object("original_size")].compactMap(\.self) + photo.objects("alt_sizes", most: 50))
    alt = photo.string("alt_text") ?? photo.string("caption")
  }

  /// A block with a file of Tumblr's own; nil if another site has it.
  init?(film block: JSONObject, isVideo: Bool) {
    guard let media = block.object("media") ?? block.objects("media", most: 1).first,
      let address = Bounds.webAddress(media.string("url"))
    else { return nil }
    self.init(kind: isVideo ? .video : .audio, url: address)
    (width, height) = (media.number("width"), media.number("height"))
    previewURL = block.objects("poster", most: 1).first?.string("url")
  }

  init(kind: Attachment.Kind, url: String) { (self.kind, self.url) = (kind, url) }

  private init?(sizes: [JSONObject]) {
    let sizes = sizes.map { (width: $0.number("width") ?? 0, fields: $0) }
    // The first of those that are equally wide.
    let byWidth = sizes.sorted { $0.width > $1.width }
    let usable = byWidth.lazy.compactMap { size in
      Bounds.webAddress(size.fields.string("url")).map { (address: $0, fields: size.fields) }
    }
    guard let widest = usable.first else { return nil }
    self.init(kind: .image, url: widest.address)
    if widest.fields.bool("original_dimensions_missing") != true {
      (width, height) = (widest.fields.number("width"), widest.fields.number("height"))
    }
    previewURL = byWidth.last { $0.width >= 400 }?.fields.string("url")
  }

  /// The file in the form that all sources share.
  var attachment: Attachment {
    let preview = Bounds.webAddress(previewURL)
    return Attachment(
      kind: kind, url: url, previewURL: preview == url ? nil : preview, alt: Bounds.block(alt),
      width: Bounds.pixels(width), height: Bounds.pixels(height))
  }
}

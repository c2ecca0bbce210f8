import Posts
import Storage
import Web
import Wording

/// An attachment on the page of its post.
struct AttachmentFigure {
  let attachment: StoredAttachment
  /// Its number in the post, from 1.
  let number: Int
  let post: StoredPost
  /// Whether it tells where a picture was taken, and what machines found.
  let showsPlace: Bool

  var html: HTML {
    """
    <figure\(data("shown", ShownAs(attachment).rawValue))\(data("blob", attachment.blob?.hex))\
    \(data("type", attachment.mediaType))\(data("width", attachment.width.map(String.init)))\
    \(data("height", attachment.height.map(String.init)))\(data("blurhash", attachment.blurhash))\
    \(data("words", description))>\(shown)\(alt)\(read)<figcaption class="soft">\(facts)</figcaption></figure>
    """
  }

  /// What the viewer needs to know, as an attribute.
  private func data(_ name: HTML, _ value: String?) -> HTML { value.map { " data-\(name)=\"\($0)\"" } ?? "" }

  private var shown: HTML {
    guard let blob = attachment.blob?.hex else { return tile(trouble) }
    switch ShownAs(attachment) {
    case .picture: return picture(blob, original: "/blob/\(blob)")
    case .derivative: return picture(blob, original: download(blob))
    case .video: return video(blob)
    case .audio:
      return "<audio controls preload=\"metadata\" src=\"/blob/\(blob)\" aria-label=\"\(description)\"></audio>"
    case .file, .missing: return tile("\(typeName), only to download")
    }
  }

  private func picture(_ blob: String, original: String) -> HTML {
    """
    <a class="open" href="\(original)"><img src="/thumb/1600/\(blob)" alt="\(description)"\(size)\
    \(loading)></a>
    """
  }

  /// The first pictures are seen at once.
  private var loading: HTML { number > 2 ? " loading=\"lazy\"" : "" }

  private func video(_ blob: String) -> HTML {
    let loop: HTML = attachment.kind == .gifv ? " muted loop" : ""
    return """
      <video controls playsinline preload="metadata" poster="/thumb/1600/\(blob)" src="/blob/\(blob)"\(size)\(loop) \
      aria-label="\(description)"></video>
      """
  }

  private func tile(_ text: String) -> HTML { "<p class=\"absent\">\(text)</p>" }

  /// The ratio is known before the picture, so that nothing jumps.
  private var size: HTML {
    guard let width = attachment.width, let height = attachment.height, width > 0, height > 0 else { return "" }
    return " width=\"\(width)\" height=\"\(height)\""
  }

  private var description: String {
    if let alt = attachment.alt, !alt.isEmpty { return alt }
    let plain = "\(attachment.kind.rawValue) \(number) of \(post.attachments.count), without a description"
    return attachment.text.map { "\(plain). \($0.suggestion())" } ?? plain
  }

  /// The text that a machine read.
  private var read: HTML {
    guard let text = attachment.text else { return "" }
    let lines: [HTML] = text.lines.map { line in
      "<span dir=\"auto\" data-box=\"\(line.box.map(String.init).joined(separator: " "))\">\(line.text)</span>"
    }
    return """
      <details class="read"><summary>Text in the picture</summary><p>\(HTML.joined(lines, separator: "<br>"))</p>\
      <p class="soft">Read by \(text.engine), not written by the author.</p></details>
      """
  }

  private var alt: HTML {
    guard let alt = attachment.alt, !alt.isEmpty else { return "" }
    return "<p class=\"alt\" dir=\"auto\">\(alt)</p>"
  }

  private var trouble: String {
    switch attachment.state {
    case .stored: "Stored"
    case .pending: "Not downloaded yet"
    case .failed: "Could not be downloaded: \(attachment.failure ?? "no reason is known")"
    case .gone: "Its server no longer has it"
    case .skipped: "Not downloaded: \(attachment.skippedFor ?? "the pull that brought it left pictures out")"
    }
  }

  private var facts: HTML {
    var facts: [HTML] = attachment.name.map { ["<bdi class=\"name\">\($0)</bdi>"] } ?? []
    if let blob = attachment.blob {
      facts.append(HTML(typeName))
      if let width = attachment.width, let height = attachment.height { facts.append("\(width) × \(height)") }
      if let count = attachment.byteCount { facts.append(HTML(ByteWords.text(count))) }
      facts += attachment.facts?.words(showsPlace: showsPlace).map { "<bdi>\($0)</bdi>" } ?? []
      if showsPlace { facts += attachment.findings?.words.map { "<bdi>\($0)</bdi>" } ?? [] }
      facts.append("<a href=\"\(download(blob.hex))\" download>Download</a>")
    } else if let url = attachment.url?.webLink {
      facts.append("<a href=\"\(url)\" rel=\"noopener noreferrer\" target=\"_blank\">Original on the web</a>")
    }
    return HTML.joined(facts, separator: " · ")
  }

  private func download(_ blob: String) -> String {
    DownloadName(of: attachment, number: number, in: post).address(of: blob)
  }

  private var typeName: String {
    ServedType(mediaType: attachment.mediaType).fileExtension?.uppercased() ?? "File of unknown type"
  }
}

/// Numbers of bytes as people read them.
enum ByteWords {
  static func text(_ count: Int) -> String {
    guard count >= 1000 else { return "\(count) B" }
    let units = ["kB", "MB", "GB", "TB"]
    var (tenths, unit) = (count / 100, 0)
    while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = (tenths / 1000, unit + 1) }
    return tenths >= 100 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

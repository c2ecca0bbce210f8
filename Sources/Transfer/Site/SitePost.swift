import Blobs
import FoundationEssentials
import Machine
import Posts
import Storage
import Web

/// A post of a site: its page, and its tile on lists.
struct SitePost {
  let post: StoredPost
  let page: SitePage
  /// The blobs that are in the site, and those with a thumbnail.
  let media, thumbnails: Set<BlobID>

  /// What hides its pictures until a click; nil if nothing does.
  private var veil: String? {
    if !post.warning.isEmpty { return post.warning }
    return post.sensitive && !post.attachments.isEmpty ? "Sensitive pictures" : nil
  }

  private var author: String { post.author.map { $0.name.isEmpty ? $0.handle : $0.name } ?? "" }

  private var heading: String {
    let text = post.title ?? (post.warning.isEmpty ? post.caption : post.warning)
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.isEmpty ? author.isEmpty ? "Post" : author : line.count > 70 ? "\(line.prefix(69))…" : line
  }

  private static func time(_ date: Date) -> HTML {
    let text = UTC.text(date)
    return "<time datetime=\"\(text)\">\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC</time>"
  }

  // MARK: Its page

  var bytes: [UInt8] {
    let title: HTML = post.title.map { "<h1 dir=\"auto\">\($0)</h1>" } ?? ""
    let until: HTML = post.endsAt.map { " to \(Self.time($0))" } ?? ""
    let edited: HTML = post.editedAt.map { ", edited \(Self.time($0))" } ?? ""
    let text: HTML =
      post.caption.isEmpty ? "" : "<p class=\"caption\" dir=\"auto\"\(language)>\(LinkedText(post.caption).html)</p>"
    let inner = text + HTML.joined(post.attachments.map(figure))
    let content: HTML = veil.map { "<details><summary dir=\"auto\">\($0)</summary>\(inner)</details>" } ?? inner
    let origin: HTML =
      link(post.url).map { "<p><a href=\"\($0)\" rel=\"noopener noreferrer\">On the web</a></p>" } ?? ""
    let license: HTML = post.license.map { "<p class=\"soft\">Licence: \($0.html)</p>" } ?? ""
    let article: HTML = """
      <main class="page"><article class="card">\(byline)<p class="soft">\(Self.time(post.createdAt))\(until)\(edited)</p>\
      \(title)\(content)\(tags)\(origin)\(license)</article></main>
      """
    return page.text(heading, article)
  }

  private var language: HTML { post.language.map { " lang=\"\($0)\"" } ?? "" }

  private var byline: HTML {
    guard let author = post.author else { return "" }
    return """
      <p class="by"><a href="\(page.root)\(SiteName.author(author.handle))"><bdi>\(self.author)</bdi></a> \
      <span class="soft"><bdi>\(author.handle)</bdi></span></p>
      """
  }

  private var tags: HTML {
    let links = post.tags.map { tag in
      "<a href=\"\(page.root)\(SiteName.tag(Feed.tagName(tag)))\"><bdi>#\(tag)</bdi></a>" as HTML
    }
    return links.isEmpty ? "" : "<p class=\"tags\">\(HTML.joined(links, separator: " "))</p>"
  }

  private func figure(_ file: StoredAttachment) -> HTML {
    guard let blob = file.blob, media.contains(blob) else {
      let source: HTML = link(file.url).map { ": <a href=\"\($0)\" rel=\"noopener noreferrer\">on the web</a>" } ?? ""
      return "<p class=\"soft\">[\(file.kind.rawValue)] not stored\(source)</p>"
    }
    let source = page.root + SiteName.media(file, blob)
    let alt = file.alt ?? ""
    let words: HTML = alt.isEmpty ? "" : "<figcaption dir=\"auto\">\(alt)</figcaption>"
    var size: HTML = ""
    if let width = file.width, let height = file.height { size = " width=\"\(width)\" height=\"\(height)\"" }
    switch file.kind {
    case .image:
      return """
        <figure><a href="\(source)"><img src="\(source)" alt="\(alt)"\(size) loading="lazy"></a>\(words)</figure>
        """
    case .video, .gifv:
      let poster: HTML = thumbnails.contains(blob) ? " poster=\"\(page.root)\(SiteName.thumbnail(blob))\"" : ""
      return """
        <figure><video src="\(source)" controls preload="none"\(poster)\(size) aria-label="\(alt)"></video>\(words)</figure>
        """
    case .audio:
      return
        "<figure><audio src=\"\(source)\" controls preload=\"none\" aria-label=\"\(alt)\"></audio>\(words)</figure>"
    case .file:
      return "<p><a href=\"\(source)\" download>\(file.name ?? "File")</a></p>\(words)"
    }
  }

  private func link(_ text: String?) -> String? {
    guard let text, ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }) else { return nil }
    return text
  }

  // MARK: Its tile

  var tile: HTML {
    let address = page.root + SiteName.post(post.id)
    let name: HTML = author.isEmpty ? "" : "<span class=\"who\"><bdi>\(author)</bdi></span>"
    let picture = post.attachments.first { $0.blob.map { thumbnails.contains($0) || isShown($0) } == true }
    if veil == nil, let picture, let blob = picture.blob {
      let source = thumbnails.contains(blob) ? SiteName.thumbnail(blob) : SiteName.media(picture, blob)
      let alt = picture.alt.flatMap { $0.isEmpty ? nil : $0 } ?? heading
      let more: HTML = post.attachments.count > 1 ? "<span class=\"badge\">\(post.attachments.count)</span>" : ""
      return """
        <a class="tile" href="\(address)"><img src="\(page.root)\(source)" alt="\(alt)" loading="lazy">\(more)\(name)</a>
        """
    }
    let text =
      veil ?? [post.title ?? "", String(post.caption.prefix(300))].filter { !$0.isEmpty }.joined(separator: "\n")
    return "<a class=\"tile words\" href=\"\(address)\"><span class=\"text\" dir=\"auto\">\(text)</span>\(name)</a>"
  }

  /// Whether the whole picture stands in for a thumbnail.
  private func isShown(_ blob: BlobID) -> Bool {
    media.contains(blob) && post.attachments.contains { $0.blob == blob && $0.kind == .image }
  }
}

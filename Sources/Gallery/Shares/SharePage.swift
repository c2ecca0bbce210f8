import FeedDocuments
import FoundationEssentials
import Machine
import Posts
import Storage
import Web

/// A page of a share: posts for whoever has the address. It runs no scripts, leads nowhere in the gallery, and says nothing of
/// what the person made of the posts.
struct SharePage {
  let title: String
  let hasOriginals: Bool
  let posts: [StoredPost]
  /// The number of this page and of all pages, from 1.
  let page: Int
  let pages: Int

  var html: HTML {
    let shown: HTML =
      posts.isEmpty
      ? "<p class=\"soft\">There are no posts here now.</p>"
      : HTML.joined(posts.map { SharedPost(post: $0, hasOriginals: hasOriginals).html })
    return Self.frame(title, "<h1 dir=\"auto\">\(title)</h1>\(shown)\(neighbours)")
  }

  private var neighbours: HTML {
    guard pages > 1 else { return "" }
    func link(_ number: Int, _ relation: HTML, _ words: HTML) -> HTML {
      (1...pages).contains(number) ? "<a rel=\"\(relation)\" href=\"?page=\(number)\">\(words)</a>" : ""
    }
    return """
      <nav aria-label="Pages">\(link(page - 1, "prev", "Back")) <span>\(page) of \(pages)</span> \
      \(link(page + 1, "next", "Further"))</nav>
      """
  }

  /// A page with only a sentence.
  static func message(_ title: String, _ sentence: String) -> HTML {
    frame(title, "<h1>\(title)</h1><p>\(sentence)</p>")
  }

  private static func frame(_ title: String, _ body: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="robots" content="noindex"><title>\(title)</title><link rel="stylesheet" href="\(ShareRoutes.stylePath)">
    <link rel="icon" href="data:,"></head>
    <body><main>\(body)</main></body></html>

    """
  }

  /// The stylesheet of these pages, which load nothing else of the gallery.
  static let style = """
    :root { color-scheme: light dark; }
    body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
    main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
    article { margin: 0 0 3rem; overflow-wrap: anywhere; }
    article h2 { margin: .25rem 0; font-size: 1.1rem; }
    article p { margin: .25rem 0 .75rem; white-space: pre-line; }
    figure { margin: 0 0 .75rem; }
    img, video { display: block; width: auto; max-width: 100%; height: auto; max-height: 90vh; }
    audio { width: 100%; }
    figcaption, .soft { opacity: .75; font-size: .9rem; }
    summary { padding: .5rem 0; cursor: pointer; }
    nav { display: flex; gap: 1rem; }

    """
}

/// A post of a share.
private struct SharedPost {
  let post: StoredPost
  let hasOriginals: Bool

  var html: HTML {
    let heading: HTML = post.title.map { "<h2 dir=\"auto\">\($0)</h2>" } ?? ""
    let text: HTML =
      post.caption.isEmpty ? "" : "<p dir=\"auto\"\(language)>\(LinkedText(post.caption).html)</p>"
    let inner = text + HTML.joined(post.attachments.map(figure))
    let content: HTML = veil.map { "<details><summary dir=\"auto\">\($0)</summary>\(inner)</details>" } ?? inner
    return "<article>\(heading)\(content)<p class=\"soft\">\(byline)\(time)\(license)</p></article>"
  }

  /// What hides its pictures until a click; nil if nothing does.
  private var veil: String? {
    post.warning.isEmpty ? (post.sensitive && !post.attachments.isEmpty ? "Sensitive pictures" : nil) : post.warning
  }

  private var language: HTML { post.language.map { " lang=\"\($0)\"" } ?? "" }

  private var byline: HTML {
    guard let author = post.author else { return "" }
    let name: HTML = "<bdi>\(author.name.isEmpty ? author.handle : author.name)</bdi>"
    return "\(Self.link(author.url, name)) · "
  }

  private var time: HTML {
    let text = UTC.text(post.createdAt)
    return Self.link(
      post.url,
      "<time datetime=\"\(text)\">\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC</time>")
  }

  private var license: HTML { post.license.map { " · \($0.html)" } ?? "" }

  private static func link(_ address: String?, _ words: HTML) -> HTML {
    guard let address = FeedItem.webAddress(address) else { return words }
    return "<a href=\"\(address)\" rel=\"noopener noreferrer\" target=\"_blank\">\(words)</a>"
  }

  private func figure(_ file: StoredAttachment) -> HTML {
    guard let blob = file.blob?.hex else { return "" }
    let alt = file.alt ?? ""
    let words: HTML = alt.isEmpty ? "" : "<figcaption dir=\"auto\">\(alt)</figcaption>"
    return "<figure>\(shown(file, blob, alt))\(words)</figure>"
  }

  private func shown(_ file: StoredAttachment, _ blob: String, _ alt: String) -> HTML {
    let original = "blob/\(blob)"
    let type = ServedType(mediaType: file.mediaType)
    switch file.kind {
    case .image:
      let picture: HTML = "<img src=\"thumb/1600/\(blob)\" alt=\"\(alt)\"\(Self.size(file)) loading=\"lazy\">"
      return hasOriginals ? "<a href=\"\(original)\">\(picture)</a>" : picture
    case .video, .gifv:
      guard hasOriginals, type.isInline else {
        return """
          <img src="thumb/1600/\(blob)" alt="\(alt)"\(Self.size(file)) loading="lazy"><p class="soft">A frame of a video.</p>
          """
      }
      return """
        <video src="\(original)" poster="thumb/1600/\(blob)" controls preload="none"\(Self.size(file)) aria-label="\(alt)"></video>
        """
    case .audio where hasOriginals && type.isInline:
      return "<audio src=\"\(original)\" controls preload=\"none\" aria-label=\"\(alt)\"></audio>"
    case .audio, .file:
      let name = file.name ?? (file.kind == .audio ? "A sound" : "A file")
      return hasOriginals ? "<a href=\"\(original)\" download><bdi>\(name)</bdi></a>" : "<bdi>\(name)</bdi>"
    }
  }

  private static func size(_ file: StoredAttachment) -> HTML {
    guard let width = file.width, let height = file.height, width > 0, height > 0 else { return "" }
    return " width=\"\(width)\" height=\"\(height)\""
  }
}

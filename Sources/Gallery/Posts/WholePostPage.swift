import FoundationEssentials
import MediaLibrary
import Posts
import Storage
import Web
import Wording

/// A post whole. Without scripts everything on it can be seen; `post.js` adds the viewer, the keys and what changes the post.
struct WholePostPage {
  let reading: PostReading
  /// The list that it was opened from.
  let address: ListAddress
  let neighbours: Neighbours
  /// Whether the post cannot be deleted and restored here.
  let isReadOnly: Bool
  /// The authors and tags of which no list shows a post.
  var hiddenNames: Set<HiddenName> = []

  private var post: StoredPost { reading.post }

  var html: HTML {
    let language: HTML = post.language.flatMap { $0.isLanguageTag ? "\($0)" : nil }.map { " lang=\"\($0)\"" } ?? ""
    return PageFrame.html(
      post.heading, scripts: ["post.js"],
      """
      <main class="post page" data-post="\(post.id)" data-query="\(address.query)"\(traits)>
      \(navigation)
      <article>
      <header><h1 dir="auto"\(titleClass)>\(post.heading)</h1>\(byline)</header>
      \(states)
      <div class="content"\(language)>\(content)</div>
      <footer>\(facts)\(marks)<p class="actions">\(links)</p>\(hiding)</footer>
      </article>
      </main>
      """)
  }

  /// Without a title, the line below says as much.
  private var titleClass: HTML { post.title?.isEmpty == false ? "" : " class=\"visually-hidden\"" }

  /// What the viewer needs to know.
  private var traits: HTML {
    (post.isDeleted ? " data-deleted" : "") as HTML + (isReadOnly ? " data-read-only" : "") as HTML
  }

  // MARK: The list

  private var navigation: HTML {
    let anchor = "at=\(post.id)"
    let list = address.query.isEmpty ? anchor : "\(address.query)&\(anchor)"
    return """
      <nav class="neighbours" aria-label="Posts of the list">\(link(to: neighbours.previous, "prev", "← Newer"))
      <a class="back" href="/?\(list)">Back to the list</a>
      \(link(to: neighbours.next, "next", "Older →"))</nav>
      """
  }

  private func link(to post: Int64?, _ relation: HTML, _ words: HTML) -> HTML {
    guard let post else { return "<span></span>" }
    let query = address.query.isEmpty ? "" : "?\(address.query)"
    return "<a rel=\"\(relation)\" href=\"/post/\(post)\(query)\">\(words)</a>"
  }

  // MARK: The post

  private var byline: HTML {
    let edited: HTML = post.editedAt.map { "<span class=\"soft\"> · edited \(MomentText().html($0))</span>" } ?? ""
    return
      "<p class=\"byline\">\(author)<span class=\"soft\">\(MomentText().html(post.createdAt, until: post.endsAt))</span>\(edited)</p>"
  }

  private var author: HTML {
    guard let author = post.author else { return "" }
    let picture: HTML =
      author.avatar.map { "<img class=\"avatar\" src=\"/thumb/320/\($0.hex)\" alt=\"\" width=\"40\" height=\"40\">" }
      ?? ""
    return """
      <a class="author" href="/?user=\(author.handle.queryEncoded)">\(picture)<bdi>\(author.shownName)</bdi>
      <span class="soft">@\(author.shownHandle)</span></a>
      """
  }

  private var states: HTML {
    var states: [HTML] = []
    if post.isDeleted { states.append("<p class=\"state bad\">Deleted. It stays here until it is restored.</p>") }
    if let explanation = post.visibility?.explanation { states.append("<p class=\"state\">\(explanation)</p>") }
    if let gone = post.goneAt {
      states.append("<p class=\"state\">Gone from its server since \(MomentText().html(gone)). It stays here.</p>")
    }
    let hiding = names.filter(isHidden).map(\.shown).joined(separator: ", ")
    if !isReadOnly, post.marks.isHidden || !hiding.isEmpty {
      let with: HTML = hiding.isEmpty ? "" : " with \(hiding)"
      states.append("<p class=\"state\">Hidden\(with): lists leave it out.</p>")
    }
    return HTML.joined(states)
  }

  /// What it can be hidden with.
  private var names: [HiddenName] {
    (post.author.map { [HiddenName.author($0.handle)] } ?? []) + post.tags.map(HiddenName.tag)
  }

  private func isHidden(_ name: HiddenName) -> Bool {
    if case .tag(let tag) = name { return hiddenNames.contains(.tag(Feed.tagName(tag))) }
    return hiddenNames.contains(name)
  }

  private var content: HTML {
    let files = HTML.joined(
      post.attachments.enumerated().map {
        AttachmentFigure(attachment: $1, number: $0 + 1, post: post, showsPlace: !isReadOnly).html
      })
    let caption: HTML =
      post.caption.isEmpty ? "" : "<div class=\"caption\" dir=\"auto\">\(reading.caption.html)</div>"
    let all: HTML = "<div class=\"files\">\(files)</div>\(caption)"
    guard let warning = post.shownWarning else { return all }
    return """
      <details class="warning"><summary><bdi>\(warning)</bdi></summary>
      \(all)</details>
      """
  }

  /// Hides the post, its author or one of its tags, where they are seen.
  private var hiding: HTML {
    guard !isReadOnly else { return "" }
    let post = HidingForm.html(
      "post", "\(post.id)", self.post.marks.isHidden ? "Show this post again" : "Hide this post",
      shows: self.post.marks.isHidden)
    let others = HTML.joined(names.map { $0.form(isHidden: isHidden($0)) })
    return """
      <details class="hiding"><summary>Hide …</summary><div class="actions">\(post)\(others)</div></details>
      """
  }

  private var links: HTML {
    var links: [HTML] = []
    if post.isManual, !isReadOnly { links.append("<a class=\"button\" href=\"/post/\(post.id)/edit\">Edit</a>") }
    if let url = post.url?.webLink {
      links.append(
        "<a class=\"button origin\" href=\"\(url)\" rel=\"noopener noreferrer\" target=\"_blank\">Open at its server</a>"
      )
    }
    if reading.hasRawAnswer { links.append("<a class=\"button\" href=\"/post/\(post.id)/raw\">Raw answer</a>") }
    return HTML.joined(links, separator: "\n")
  }
}

// MARK: Facts

extension WholePostPage {
  private var facts: HTML {
    let tags = post.tagsBeside(reading.caption)
    var rows: [(HTML, HTML)] = []
    if !tags.isEmpty {
      rows.append(
        (
          "Tags",
          HTML.joined(tags.map { "<a href=\"/?tag=\($0.queryEncoded)\" dir=\"auto\">#\($0)</a>" }, separator: " ")
        ))
    }
    if !post.repeatedBy.isEmpty {
      let people: [HTML] = post.repeatedBy.map { person in
        "<a href=\"/?user=\(person.handle.queryEncoded)\">@\(person.handle)</a> <span class=\"soft\">\(MomentText().html(person.at))</span>"
      }
      rows.append(("Repeated by", HTML.joined(people, separator: ", ")))
    }
    if let quote = post.quote { rows.append(("Quotes", Self.quote(quote))) }
    if !post.elsewhere.isEmpty, !isReadOnly {
      let links: [HTML] = post.elsewhere.map { link in
        let address: HTML =
          link.address.webLink.map { "<a href=\"\($0)\" rel=\"noopener noreferrer\" target=\"_blank\">\($0)</a>" }
          ?? "\(link.address)"
        return "\(address) (<a href=\"/post/\(link.post)\">post \(link.post)</a>)"
      }
      rows.append(("Also at", HTML.joined(links, separator: "<br>")))
    }
    if let license = post.license { rows.append(("Licence", license.html)) }
    if !reading.feeds.isEmpty {
      rows.append(
        ("From", HTML.joined(reading.feeds.map { "<a href=\"/?feed=\($0.queryEncoded)\">\($0)</a>" }, separator: ", ")))
    }
    rows.append(("Stored", MomentText().html(post.storedAt)))
    let list = HTML.joined(rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" })
    return "<dl class=\"facts\">\(list)</dl>\(edits)"
  }

  private static func quote(_ quote: StoredQuote) -> HTML {
    if let post = quote.post { return "<a href=\"/post/\(post)\">Post \(post)</a>" }
    guard let url = (quote.url ?? quote.uri).webLink else { return "a post that is not stored" }
    return "<a href=\"\(url)\" rel=\"noopener noreferrer\" target=\"_blank\">\(url)</a> (not stored)"
  }

  /// What the person makes of it, which `marks.js` lets them change.
  private var marks: HTML {
    guard !isReadOnly else { return "" }
    let rows = HTML.joined(post.marks.rows.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" })
    return """
      <section class="marks" aria-label="Your marks" data-marks="\(post.marks.json.text)"><dl class="facts">\(rows)</dl></section>\(earlierNotes)
      """
  }

  private var earlierNotes: HTML {
    let notes: [HTML] = reading.earlierNotes.map {
      "<li><span class=\"soft\">\(MomentText().html($0.writtenAt))</span><div class=\"diff\" dir=\"auto\">\($0.text)</div></li>"
    }
    return Self.fold(notes, "earlier note")
  }

  /// What stood before, latest first; folded until somebody asks.
  private static func fold(_ items: [HTML], _ one: String) -> HTML {
    guard !items.isEmpty else { return "" }
    return """
      <details class="edits"><summary>\(NumberText.count(items.count, one))</summary>
      <ol reversed>\(HTML.joined(items))</ol></details>
      """
  }

  private var edits: HTML {
    let items: [HTML] = reading.edits.map { edit in
      let parts: [(HTML, WordDiff?)] = [
        ("<b>Title</b> ", edit.title), ("<b>Warning</b> ", edit.warning), ("", edit.caption),
      ]
      let texts: [HTML] = parts.compactMap { name, diff in
        diff.map { "<div class=\"diff\" dir=\"auto\">\(name)\($0.html)</div>" }
      }
      return "<li><span class=\"soft\">\(MomentText().html(edit.seenAt))</span>\(HTML.joined(texts))</li>"
    }
    return Self.fold(items, "edit")
  }
}

extension WordDiff {
  /// As markup.
  var html: HTML {
    HTML.joined(
      pieces.map { piece in
        switch piece.kind {
        case .kept: HTML(piece.text)
        case .deleted: "<del>\(piece.text)</del>"
        case .inserted: "<ins>\(piece.text)</ins>"
        }
      })
  }
}

extension String {
  /// Whether it has the form of a language tag (RFC 5646, 2.1).
  fileprivate var isLanguageTag: Bool {
    (2...35).contains(utf8.count)
      && utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 }
  }
}

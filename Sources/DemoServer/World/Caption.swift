import Machine
import Web

/// A post's text in parts, for HTML and plain text.
struct Caption: Sendable, Equatable {
  enum Part: Sendable, Equatable {
    case text(String)
    case tag(String)
    case mention(Int)
    case link(String)
    case lineBreak
    case paragraph
  }

  var parts: [Part]

  init(parts: [Part]) { self.parts = parts }

  /// Creates a caption from typed text with tags.
  init(typed text: String) {
    parts = text.split(separator: " ", omittingEmptySubsequences: false).enumerated().flatMap { index, word in
      let isTag = word.hasPrefix("#") && word.count > 1
      let space = index == 0 ? [] : [Part.text(" ")]
      return space + [isTag ? .tag(String(word.dropFirst())) : .text(String(word))]
    }
  }

  /// As people read it.
  var plain: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .tag(let name): "#" + name
      case .mention(let index): "@" + Person.everyone[index].acct
      case .link(let address): address
      case .lineBreak: "\n"
      case .paragraph: "\n\n"
      }
    }
    .joined()
  }

  /// As a Mastodon server sends it: paragraphs, and links in spans that hide their scheme and their tail.
  func html(origin: String) -> HTML {
    let inner: [HTML] = parts.map { part in
      switch part {
      case .text(let text): HTML(text)
      case .tag(let name): Caption.tag(name, origin)
      case .mention(let index): Caption.mention(Person.everyone[index], origin)
      case .link(let address): Caption.link(address)
      case .lineBreak: "<br />"
      case .paragraph: "</p><p>"
      }
    }
    return "<p>\(HTML.joined(inner))</p>"
  }

  private static func tag(_ name: String, _ origin: String) -> HTML {
    let address = "\(origin)/tags/\(name.lowercased().pathEscaped)"
    return #"<a href="\#(address)" class="mention hashtag" rel="tag">#<span>\#(name)</span></a>"#
  }

  private static func mention(_ person: Person, _ origin: String) -> HTML {
    let address = person.profile(origin)
    return #"<span class="h-card" translate="no"><a href="\#(address)" class="u-url mention">@<span>"#
      + "\(person.username)</span></a></span>"
  }

  private static func link(_ address: String) -> HTML {
    let bare = address.drop { $0 != "/" }.dropFirst(2)
    let scheme = address.prefix(address.count - bare.count)
    let long = bare.count > 30
    let shown: HTML = #"<span class="\#(long ? "ellipsis" : "")">\#(String(bare.prefix(30)))</span>"#
    return #"<a href="\#(address)" target="_blank" rel="nofollow noopener" translate="no">"#
      + #"<span class="invisible">\#(scheme)</span>\#(shown)"#
      + #"<span class="invisible">\#(String(bare.dropFirst(30)))</span></a>"#
  }
}

extension String {
  /// Safe as one part of a path or one value of a query (RFC 3986 section 2.3).
  var pathEscaped: String { percentEncoded() }
}

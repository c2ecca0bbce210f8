import Posts
import Storage

/// The tags of a file as hydrus reads them from a sidecar: one a line, `namespace:tag`.
/// https://hydrusnetwork.github.io/hydrus/advanced_sidecars.html
struct HydrusTags {
  let text: String

  init(_ post: StoredPost, _ index: Int, marks: Bool = false) {
    var lines = post.tags.map { Self.plain($0) }
    lines += Self.line("creator", post.author?.handle)
    lines += Self.line("person", post.author.flatMap { $0.name == $0.handle ? nil : $0.name })
    lines += Self.line("title", post.title)
    lines += Self.line("source", post.source.rawValue)
    if post.attachments.count > 1 { lines += Self.line("page", "\(index + 1)") }
    if post.sensitive { lines += Self.line("rating", "sensitive") }
    lines += Self.line("warning", post.warning)
    if post.visibility != .public { lines += Self.line("visibility", post.visibility?.rawValue) }
    if marks { lines += post.marks.ownTags.flatMap { Self.line("own", $0) } }
    text = Self.lines(lines)
  }

  /// The addresses that belong to a file.
  static func addresses(of post: StoredPost, _ index: Int) -> String {
    let web = [post.url, post.attachments[index].url].compactMap(\.self)
    return lines(web.filter { $0.hasPrefix("https://") || $0.hasPrefix("http://") }.map(oneLine))
  }

  private static func line(_ namespace: String, _ value: String?) -> [String] {
    guard let value = value.map(oneLine), !value.isEmpty else { return [] }
    return ["\(namespace):\(value)"]
  }

  /// A colon in a tag would make a namespace of what is before it. One before the tag says that there is none.
  private static func plain(_ tag: String) -> String {
    let tag = oneLine(tag)
    return tag.contains(":") ? ":\(tag)" : tag
  }

  private static func oneLine(_ text: String) -> String {
    text.split { $0.isNewline || $0.isWhitespace }.joined(separator: " ")
      .filter { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
  }

  private static func lines(_ lines: [String]) -> String { lines.filter { !$0.isEmpty }.map { "\($0)\n" }.joined() }
}

import MediaLibrary
import Terminal

/// A mark that is being typed: the name of an own tag or of an album, a note, or what is hidden.
struct MarkField: Sendable, Equatable {
  enum Kind: Sendable, Equatable { case ownTag, album, note, hidden }

  enum Outcome: Equatable {
    case stay
    case cancel
    /// There is no album of this name. Enter once more makes it.
    case ask(String)
    /// What was typed names no author and no tag.
    case refuse
    case write(PostChange)
  }

  let kind: Kind
  /// The posts that are marked.
  let posts: [Int64]
  /// The own tags that a single post has; what hides it with others, such as `by:birds@photos.example`.
  let given: [String]
  var field = TagField()
  /// Whether the next Enter makes the album.
  var makes = false

  /// - Parameter text: What stands in the field at first.
  init(_ kind: Kind, _ posts: [Int64], given: [String] = [], text: String = "") {
    (self.kind, self.posts, self.given) = (kind, posts, given)
    field.insert(text)
  }

  /// The names that complete what was typed: those that begin with it, then those that contain it. A sign before a tag
  /// stays.
  func offered(_ names: MarkNames?) -> [String] {
    if kind == .hidden { return sorted(given, field.typed) }
    guard let names else { return [] }
    switch kind {
    case .note, .hidden: return []
    case .album: return sorted(names.albums, field.typed)
    case .ownTag:
      let sign = field.typed.first.flatMap { "+-".contains($0) ? String($0) : nil } ?? ""
      let known = sign == "-" && !given.isEmpty ? given : names.ownTags
      return sorted(known, String(field.typed.dropFirst(sign.count))).map { sign + $0 }
    }
  }

  private func sorted(_ names: [String], _ typed: String) -> [String] {
    let isBegun = { (name: String) in name.lowercased().hasPrefix(typed.lowercased()) }
    return names.filter(isBegun) + names.filter { !isBegun($0) }
  }

  mutating func handle(_ key: Key, _ names: MarkNames?) -> Outcome {
    switch key {
    case .escape: return .cancel
    case .enter: return enter(names)
    default:
      makes = false
      field.handle(key == .tab ? .up : key == .backTab ? .down : key, offered(names))
      return .stay
    }
  }

  private mutating func enter(_ names: MarkNames?) -> Outcome {
    let text = field.field.trimmed
    switch kind {
    case .note: return .write(.mark(posts, [.note(text)]))
    case .hidden: return hiding(text)
    case _ where text.isEmpty: return .cancel
    case .ownTag: return .write(.mark(posts, [tagging(text)]))
    case .album:
      let known = names?.albums.first { $0.lowercased() == text.lowercased() }
      if known == nil, names != nil, !makes {
        makes = true
        return .ask(text)
      }
      return .write(.addToAlbum(posts, known ?? text, makes: makes))
    }
  }

  /// Nothing typed stands for the posts themselves.
  private func hiding(_ text: String) -> Outcome {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case (nil, _): return .write(.hide(posts, []))
    case ("by", let name?), ("user", let name?): return .write(.hide([], [.author(name)]))
    case ("tag", let name?): return .write(.hide([], [.tag(name)]))
    default: return .refuse
    }
  }

  /// A name with `-` before it is taken away, and so is one that the only post has.
  private func tagging(_ text: String) -> Mark {
    if text.hasPrefix("-") { return .noOwnTag(String(text.dropFirst())) }
    guard let name = MarkName.ownTag(text), !given.contains(name) else { return .noOwnTag(text) }
    return .ownTag(name)
  }
}

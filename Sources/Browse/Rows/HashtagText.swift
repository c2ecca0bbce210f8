import Terminal

/// Which tags are shown for a text.
enum HashtagText {
  // Of a post with more tags, only these are shown.
  private static let most = 12

  /// The tags of a post that its text does not contain as `#tag`, ignoring case.
  static func untold(_ tags: [SafeText], in text: SafeText) -> [SafeText] {
    let contained = tags.isEmpty ? [] : Self.tags(in: text.text)
    return tags.prefix(most).filter { !contained.contains($0.text.lowercased()) }
  }

  /// A text without the post's own tags at its end.
  static func withoutTail(_ text: SafeText, of tags: [SafeText]) -> SafeText {
    let own = Set(tags.map { $0.text.lowercased() })
    var words = text.split(separator: " ")
    while let last = words.last, last.text.hasPrefix("#"), own.contains(last.text.dropFirst().lowercased()) {
      words.removeLast()
    }
    return words.joined(separator: " ")
  }

  /// The tags in a text, in lower case and without `#`.
  private static func tags(in text: String) -> Set<String> {
    var words: Set<String> = []
    var rest = text[...]
    while let mark = rest.firstIndex(of: "#") {
      let tail = rest[rest.index(after: mark)...]
      let word = tail.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "·" || $0 == "-" }
      if !word.isEmpty { words.insert(word.lowercased()) }
      rest = tail[word.endIndex...]
    }
    return words
  }
}

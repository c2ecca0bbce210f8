import Terminal

/// Which tags a text shows by itself.
enum HashtagWords {
  // A post with more is shown with these alone.
  private static let most = 12

  /// The tags of a post that its text does not hold as `#tag`, in whatever case.
  static func untold(_ tags: [Inert], in text: Inert) -> [Inert] {
    let told = tags.isEmpty ? [] : words(of: text.text)
    return tags.prefix(most).filter { !told.contains($0.text.lowercased()) }
  }

  /// A text without the post's own tags at its end.
  static func withoutTail(_ text: Inert, of tags: [Inert]) -> Inert {
    let own = Set(tags.map { $0.text.lowercased() })
    var words = text.split(separator: " ")
    while let last = words.last, last.text.hasPrefix("#"), own.contains(last.text.dropFirst().lowercased()) {
      words.removeLast()
    }
    return words.joined(separator: " ")
  }

  /// The tags that a text holds, without `#` and in small letters.
  private static func words(of text: String) -> Set<String> {
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

extension String {
  /// The text with `?…` in place of the query and the fragment of each address in it, which may hold a key, and without
  /// the login of an address. What is after a white space belongs to no address.
  public var withoutQueries: String {
    guard contains("/"), contains(where: { "?#@".contains($0) }) else { return self }
    return split(separator: " ", omittingEmptySubsequences: false).map(Self.withoutQuery).joined(separator: " ")
  }

  private static func withoutQuery(_ word: Substring) -> String {
    guard let slash = word.firstIndex(of: "/") else { return String(word) }
    var bare = word
    if let mark = word[slash...].firstIndex(where: { $0 == "?" || $0 == "#" }), word.index(after: mark) < word.endIndex
    {
      bare = word[..<mark]
    }
    let cut = bare.endIndex == word.endIndex ? "" : "?…"
    guard let scheme = bare.firstRange(of: "://") else { return "\(bare)\(cut)" }
    let authority = bare[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return "\(bare)\(cut)" }
    return "\(bare[..<scheme.upperBound])\(bare[bare.index(after: at)...])\(cut)"
  }
}

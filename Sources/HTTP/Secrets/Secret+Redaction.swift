extension Secret {
  /// Whether a server's text repeats the secret or its first eight characters. Such a text must not be shown.
  ///
  /// Invisible characters are ignored: cleaning the text afterwards would put the secret together again.
  public func occurs(in text: String) -> Bool {
    let visible = text.unicodeScalars.filter { (0x21..<0x7F).contains($0.value) }
    let start = reveal().prefix(8)
    return !start.isEmpty && String(String.UnicodeScalarView(visible)).contains(start)
  }

  /// Whether a text contains the whole secret, also in escapes. Its beginning alone may be a user's number, which
  /// cursors contain as well. Always false for a short secret (`SecretSearch.shortest`).
  public func isPart(of text: some StringProtocol) -> Bool { SecretSearch(self)?.isPart(of: text) == true }
}

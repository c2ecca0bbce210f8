extension Secret {
  /// Whether a stranger's text repeats the secret, or its first eight characters: such a text is not shown.
  ///
  /// What has no shape is passed over, for whoever cleans the text afterwards would put the secret together again.
  public func occurs(in text: String) -> Bool {
    let visible = text.unicodeScalars.filter { (0x21..<0x7F).contains($0.value) }
    let start = reveal().prefix(8)
    return !start.isEmpty && String(String.UnicodeScalarView(visible)).contains(start)
  }

  /// Whether a text holds all of the secret, in escapes, too: its beginning alone may be a user's number, which cursors
  /// hold, too. Never for a short one (`SecretSearch.shortest`).
  public func isPart(of text: some StringProtocol) -> Bool { SecretSearch(self)?.isPart(of: text) == true }
}

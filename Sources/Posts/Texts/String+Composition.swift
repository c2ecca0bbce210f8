@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode's composed form (NFC).
  ///
  /// The standard library has the tables, but offers the result only to Foundation, whose own function for it links ICU.
  /// Comparing strings is not a substitute: SQLite compares the bytes of tags.
  package var composed: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    return String(UnicodeScalarView(_nfc))
  }
}

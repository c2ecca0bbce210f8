import Posts

extension String {
  /// The string without NUL, which ends a text in SQLite.
  var storable: String { holdsNUL ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}

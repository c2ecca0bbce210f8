/// What people say in one language.
struct Phrases: Sendable {
  /// Sentences about what the pictures show.
  var about: [Topic: [String]]
  /// What may follow any of them.
  var asides: [String]
  /// Descriptions of the pictures for those who do not see them.
  var alt: [Topic: String]
  /// Tags in the language itself.
  var tags: [Topic: String]
  /// What stands before the text of a post behind a warning.
  var warning: String
  /// Said in posts without a picture.
  var words: [String]

  /// The phrases of a person's language.
  static func of(_ language: String) -> Phrases { table[language] ?? english }

  private static let table = [
    "en": english, "de": german, "es": spanish, "ar": arabic, "he": hebrew, "ja": japanese,
  ]
}

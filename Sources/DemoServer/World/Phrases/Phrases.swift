/// What people say in one language.
struct Phrases: Sendable {
  /// Sentences about what the pictures show.
  var about: [Topic: [String]]
  /// Additions that fit after any of them.
  var asides: [String]
  /// Alt texts of the pictures.
  var alt: [Topic: String]
  /// Tags in the language itself.
  var tags: [Topic: String]
  /// The content warning of a post.
  var warning: String
  /// Texts of posts without a picture.
  var words: [String]

  /// The phrases of a person's language.
  static func of(_ language: String) -> Phrases { table[language] ?? english }

  private static let table = [
    "en": english, "de": german, "es": spanish, "ar": arabic, "he": hebrew, "ja": japanese,
  ]
}

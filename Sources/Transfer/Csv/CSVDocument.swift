import Storage
import System

/// Posts as comma-separated values (RFC 4180): a header, then a row for each post.
///
/// A spreadsheet runs what begins like a formula. Such cells get an apostrophe before them, as
/// https://owasp.org/www-community/attacks/CSV_Injection advises: the format is for people to look at. What is to be read
/// back as it was is written as NDJSON.
package struct CSVDocument: PostDocument {
  /// A column's name and its value.
  private typealias Column = (name: String, value: @Sendable (StoredPost) -> String?)

  private static let columns: [Column] = [
    ("id", { "\($0.id)" }),
    ("origin", { $0.isManual ? "manual" : "pulled" }),
    ("source", { $0.source.rawValue }),
    ("server", { $0.server }),
    ("uri", { $0.uri }),
    ("url", { $0.url }),
    ("author", { $0.author?.handle }),
    ("author_name", { $0.author?.name }),
    ("created_at", { UTC.text($0.createdAt) }),
    ("ends_at", { $0.endsAt.map(UTC.text) }),
    ("edited_at", { $0.editedAt.map(UTC.text) }),
    ("gone_at", { $0.goneAt.map(UTC.text) }),
    ("title", { $0.title }),
    ("caption", { $0.caption }),
    ("warning", { $0.warning }),
    ("sensitive", { "\($0.sensitive)" }),
    ("language", { $0.language }),
    ("tags", { $0.tags.joined(separator: ";") }),
    // No address holds a space.
    ("attachments", { $0.attachments.compactMap(\.url).joined(separator: " ") }),
    ("files", { $0.attachments.compactMap { $0.blob?.path }.joined(separator: " ") }),
    ("alts", { $0.attachments.compactMap(\.alt).joined(separator: "\n") }),
    ("visibility", { $0.visibility?.rawValue }),
  ]

  package init() {}

  package var head: String { Self.row(Self.columns.map(\.name)) }

  package func text(of post: StoredPost) -> String { Self.row(Self.columns.map { $0.value(post) ?? "" }) }

  package var tail: String { "" }

  private static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

  /// A cell, quoted where its text needs it.
  static func cell(_ text: String) -> String {
    let guarded = text.unicodeScalars.first.map(beginsFormula) == true ? "'\(text)" : text
    // By scalars: a carriage return and the line feed after it are one character.
    guard guarded.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return guarded }
    return "\"\(quoted(guarded))\""
  }

  /// Scalar by scalar: a mark that combines with a quotation mark makes another character of it.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { text, scalar in
      text.unicodeScalars.append(scalar)
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
    }
  }

  private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
    default: false
    }
  }
}

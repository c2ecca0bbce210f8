import Machine
import Storage

/// Posts as comma-separated values (RFC 4180): a header, then a row for each post.
///
/// A spreadsheet runs what begins like a formula. Such cells get an apostrophe before them, as
/// https://owasp.org/www-community/attacks/CSV_Injection advises: the format is for people to look at. What is to be read
/// back as it was is written as NDJSON.
package struct CSVDocument: PostDocument {
  private let columns: [PostFact]

  /// A document, with what the person made of posts or without.
  package init(marks: Bool = false) {
    columns = PostFact.facts(in: .csv) + (marks ? PostFact.facts(in: .marks) : [])
  }

  package var head: String { Self.row(columns.map(\.name)) }

  package func text(of post: StoredPost) -> String { Self.row(columns.map { Self.text($0.value(post)) }) }

  package var tail: String { "" }

  private static func text(_ value: PostFact.Value) -> String {
    switch value {
    case .text(let text): text ?? ""
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .time(let time): time.map(UTC.text) ?? ""
    case .texts(let texts): texts.joined(separator: ";")
    }
  }

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

import Rows

/// What a search finds a post by beside its own texts: its author, tags, and the descriptions and names of its files.
struct SearchedTexts: Equatable {
  /// The author's name, the handle without its server, and the whole handle as one word.
  let author: String
  /// The descriptions of its attachments, one a line.
  let alt: String
  /// Its tags, one a line.
  let tags: String
  /// The names of its files, and the text in its pictures, one a line. Then texts whose words have no spaces between them, with
  /// each character as a word.
  let files: String

  var all: [String] { [author, alt, tags, files] }

  /// All columns that a search reads.
  static let columns = ["title", "caption", "warning", "author", "alt", "tags", "files"]

  /// Selects them for the posts of a list of numbers, each with its place in it as `key`.
  static func selection(in db: Database) -> String {
    """
    SELECT j.key, p.title, p.caption, p.warning, s.author, s.alt, s.tags, s.files
    FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value LEFT JOIN searched_text s ON s.post = p.id ORDER BY j.key
    """
  }

  /// Between texts, so that no phrase reaches from one into the next.
  private static let border = "\n\u{E000}\n"

  /// A server's name is a word of the handles of all its authors, and would find everything that they wrote.
  static func author(_ name: String, _ handle: String) -> String {
    "\(name)\n\(user(ofHandle: handle))\n\(word(ofHandle: handle))"
  }

  /// A handle without its server.
  fileprivate static func user(ofHandle handle: String) -> Substring {
    handle.utf8.firstIndex(of: UInt8(ascii: "@")).map { handle[..<$0] } ?? handle[...]
  }

  /// A whole handle as one word, which no other text contains: it begins with a letter of nobody's alphabet.
  static func word(ofHandle handle: some StringProtocol) -> String {
    let letters = handle.unicodeScalars.filter { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      }
    }
    return "\u{E000}" + String(String.UnicodeScalarView(letters))
  }
}

extension SearchedTexts: RowDecodable {
  /// From a row of `searched_text`.
  init(_ row: some RowReading) throws {
    (author, alt) = try (row["author"], row["alt"])
    (tags, files) = try (row["tags"], row["files"])
  }
}

/// A post as it stands in the search index.
struct SearchedPost: RowDecodable {
  let id: Int64
  /// Title, caption and warning.
  let own: [String?]
  let texts: SearchedTexts

  /// What the library says of posts now.
  static func all(_ posts: [Int64], in db: Database) throws -> [SearchedPost] {
    func lines(_ column: String, of rows: String, by order: String) -> String {
      switch db.engine {
      case .sqlite:
        "(SELECT group_concat(line, char(10)) FROM (SELECT \(column) AS line FROM \(rows) ORDER BY \(order)) AS lines)"
      case .postgresql: "(SELECT string_agg(\(column), chr(10) ORDER BY \(order)) FROM \(rows))"
      }
    }
    return try db.rows(
      """
      SELECT p.id, p.title, p.caption, p.warning, u.name, u.handle,
        \(lines("t.name", of: "post_tag k JOIN tag t ON t.id = k.tag WHERE k.post = p.id", by: "k.position")) AS tags,
        \(lines("a.alt", of: "attachment a WHERE a.post = p.id AND a.alt <> ''", by: "a.position")) AS alt,
        \(lines("a.name", of: "attachment a WHERE a.post = p.id AND a.name <> ''", by: "a.position")) AS files,
        \(lines("t.text", of: "attachment a JOIN picture_text t ON t.blob = a.blob WHERE a.post = p.id", by: "a.position"))
          AS pictures
      FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value LEFT JOIN author u ON u.id = p.author ORDER BY j.key
      """, [posts.jsonList])
  }

  init(_ row: some RowReading) throws {
    id = try row["id"]
    own = try [row["title"], row["caption"], row["warning"]]
    texts = try SearchedTexts(of: row, own: own)
  }
}

extension SearchedTexts {
  /// From the author's name and handle, lines that may be missing, and the post's own texts.
  fileprivate init(of row: some RowReading, own: [String?]) throws {
    let (name, handle): (String?, String?) = try (row["name"], row["handle"])
    author = handle.map { Self.author(name ?? "", $0) } ?? ""
    let lines: [String?] = try [row["alt"], row["tags"]]
    (alt, tags) = (lines[0] ?? "", lines[1] ?? "")
    let files: [String?] = try [row["files"], row["pictures"]]
    let texts = (own + [name]).compactMap(\.self).map { $0[...] } + (handle.map { [Self.user(ofHandle: $0)] } ?? [])
    let unspaced =
      texts + (lines + files).compactMap(\.self).filter(UnspacedScripts.mayBe).flatMap { $0.split(separator: "\n") }
    self.files = (files.compactMap(\.self) + unspaced.compactMap(UnspacedScripts.separated)).joined(
      separator: Self.border)
  }
}

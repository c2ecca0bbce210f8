import Blobs
import Rows

/// The text of a post that a model has not looked at yet.
public struct UnembeddedText: Sendable, Equatable {
  /// The post's number.
  public let post: Int64
  /// Its title, caption and warning, and the alt texts of its files; empty if it has none of them.
  public let text: String
  let digest: Int64
}

/// What the text of a post means.
public struct EmbeddedText: Sendable {
  let text: UnembeddedText
  let embedding: Embedding?

  /// What a text means; nil if there is none, or the model cannot read it.
  public init(_ text: UnembeddedText, _ embedding: Embedding?) { (self.text, self.embedding) = (text, embedding) }
}

extension Store {
  /// Texts of posts that a model has not looked at, or that changed since, the last stored posts first.
  ///
  /// - Parameters:
  ///   - model: The number of the model.
  ///   - number: Only posts with smaller numbers; nil for all.
  ///   - posts: Only these posts; nil for all.
  ///   - isAgain: Whether texts that were looked at are returned, too.
  ///   - limit: The maximum number of posts.
  /// - Throws: `StorageError` if the library cannot be read.
  public func textsToEmbed(
    by model: Int64, before number: Int64? = nil, of posts: [Int64]? = nil, again isAgain: Bool = false,
    atMost limit: Int
  ) throws(StorageError) -> [UnembeddedText] {
    try read { db in
      let isMissing: Clause =
        isAgain
        ? "1 = 1"
        : """
        NOT EXISTS (
          SELECT 1 FROM text_vector t WHERE t.post = p.id AND t.model = \(bind: model) AND t.digest = coalesce(p.digest, 0))
        """
      let isChosen: Clause =
        posts.map { "p.id IN (SELECT value FROM \(db.each)(\(bind: $0.jsonList)))" } ?? "1 = 1"
      let statement: Clause = """
        SELECT p.id, coalesce(p.digest, 0) AS digest, p.title, p.caption, p.warning FROM post p
        WHERE p.id < \(bind: number ?? .max) AND \(isMissing) AND \(isChosen) ORDER BY p.id DESC\(Clause(limit: limit))
        """
      let found = try db.rows(statement) { row -> (post: Int64, digest: Int64, texts: [String?]) in
        (try row["id"], try row["digest"], [try row["title"], try row["caption"], try row["warning"]])
      }
      return try found.map { post, digest, texts in
        let alts: [String] = try db.values(
          "SELECT alt FROM attachment WHERE post = $1 AND alt IS NOT NULL ORDER BY position", [post])
        let all = (texts.compactMap(\.self) + alts).filter { !$0.allSatisfy(\.isWhitespace) }
        return UnembeddedText(post: post, text: all.joined(separator: "\n"), digest: digest)
      }
    }
  }

  /// Whether a model that looks at texts has not looked at some yet.
  ///
  /// - Parameter model: The number of the model.
  /// - Throws: `StorageError` if the library cannot be read.
  public func awaitsTexts(_ model: Int64) throws(StorageError) -> Bool {
    // A model that embeds pictures is shown no texts.
    guard try read({ try $0.hasRow("SELECT 1 FROM text_vector WHERE model = $1 LIMIT 1", [model]) }) else {
      return false
    }
    return try !textsToEmbed(by: model, atMost: 1).isEmpty
  }

  /// Stores what texts mean. A post that was removed meanwhile is passed over.
  ///
  /// - Parameters:
  ///   - texts: The texts.
  ///   - model: The number of the model that looked at them.
  /// - Throws: `StorageError` if the library cannot be written.
  public func keep(_ texts: [EmbeddedText], by model: Int64) throws(StorageError) {
    try write { db in
      for one in texts where try db.hasRow("SELECT 1 FROM post WHERE id = $1", [one.text.post]) {
        try db.run(
          """
          INSERT INTO text_vector (post, model, digest, scale, vector) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (post) DO UPDATE SET model = excluded.model, digest = excluded.digest, scale = excluded.scale,
            vector = excluded.vector
          """, [one.text.post, model, one.text.digest, one.embedding?.scale, one.embedding?.bytes])
      }
    }
  }
}

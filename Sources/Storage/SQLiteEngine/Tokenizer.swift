import CSQLite
import SQLite

/// The search index's tokenizer, used without the index. https://sqlite.org/fts5.html#custom_tokenizers
final class Tokenizer {
  /// Receives each word. The third and fourth argument are its bytes and their count.
  typealias Listener =
    @convention(c) (UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, CInt, CInt) -> CInt

  private let functions: fts5_tokenizer
  private let tokenizer: OpaquePointer
  /// Where the tokenizer comes from, if nobody else keeps it open.
  private var own: Connection?

  /// Creates the search index's tokenizer without a library in SQLite.
  convenience init() throws {
    let own = try Connection(nil)
    try self.init(in: own)
    self.own = own
  }

  /// Creates the search index's tokenizer: `unicode61 remove_diacritics 2`.
  init(in connection: Connection) throws {
    var api: UnsafeMutablePointer<fts5_api>?
    try connection.withHandle { try Self.find(&api, by: $0) }
    var functions = fts5_tokenizer()
    var context: UnsafeMutableRawPointer?
    guard let api, api.pointee.xFindTokenizer(api, "unicode61", &context, &functions) == SQLITE_OK else {
      throw SQLiteError(SQLITE_ERROR, "this SQLite has no index of words")
    }
    var tokenizer: OpaquePointer?
    let code = "remove_diacritics".withCString { name in
      "2".withCString { value in
        var arguments: [UnsafePointer<CChar>?] = [name, value]
        return functions.xCreate(context, &arguments, 2, &tokenizer)
      }
    }
    guard code == SQLITE_OK, let tokenizer else { throw SQLiteError(code) }
    (self.functions, self.tokenizer) = (functions, tokenizer)
  }

  deinit { functions.xDelete(tokenizer) }

  /// Has FTS5 write the pointer to its functions.
  private static func find(_ api: inout UnsafeMutablePointer<fts5_api>?, by handle: OpaquePointer) throws {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v2(handle, "SELECT fts5(?)", -1, &statement, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code) }
    // SQLite gives the pointer only to a caller that names its type.
    let kind: StaticString = "fts5_api_ptr"
    withUnsafeMutablePointer(to: &api) { target in
      kind.utf8Start.withMemoryRebound(to: CChar.self, capacity: kind.utf8CodeUnitCount) {
        _ = sqlite3_bind_pointer(statement, 1, target, $0, nil)
        _ = sqlite3_step(statement)
      }
    }
  }

  /// The words of a search.
  func words(ofSearch text: String) throws -> [[UInt8]] { try words(of: text, FTS5_TOKENIZE_QUERY) }

  /// The words of a post's text.
  func words(of text: String) throws -> [[UInt8]] { try words(of: text, FTS5_TOKENIZE_DOCUMENT) }

  private func words(of text: String, _ purpose: CInt) throws -> [[UInt8]] {
    var words: [[UInt8]] = []
    try withUnsafeMutablePointer(to: &words) { words in
      try tokenize(text, of: purpose, to: words) { words, _, bytes, count, _, _ in
        let word = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        words?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(word)
        return SQLITE_OK
      }
    }
    return words
  }

  /// Calls `listener` with every word of a post's text.
  func tokenize(_ text: String, to context: UnsafeMutableRawPointer, _ listener: Listener) throws {
    try tokenize(text, of: FTS5_TOKENIZE_DOCUMENT, to: context, listener)
  }

  private func tokenize(
    _ text: String, of purpose: CInt, to context: UnsafeMutableRawPointer, _ listener: Listener
  ) throws {
    var text = text
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        functions.xTokenize(tokenizer, context, purpose, text.baseAddress, CInt(text.count), listener)
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError(code) }
  }
}

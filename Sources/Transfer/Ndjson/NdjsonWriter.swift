import Storage

/// Writes a library's records as lines of JSON (https://github.com/ndjson/ndjson-spec; docs/formats/ndjson.md).
///
/// A post's line begins with the keys of `media list --json`. What follows them makes the form lossless.
public struct NdjsonWriter {
  /// The version of the form. A reader refuses a later one.
  public static let version = 1

  private var json = JSONBytes()
  /// The number of posts that were written.
  public private(set) var posts = 0

  /// A writer of a new file.
  public init() {}

  /// The first line.
  ///
  /// - Parameters:
  ///   - program: The version of the program.
  ///   - isWhole: Whether the file is to have everything.
  ///   - exportedAt: The time, as `UTC.text` writes it.
  public mutating func begin(program: String, isWhole: Bool, exportedAt: String) -> [UInt8] {
    json.clear()
    json.raw("{\"type\":\"library\",\"version\":\(Self.version),\"program\":" as String)
    json.string("media \(program)")
    json.raw(",\"exported_at\":\"\(exportedAt)\",\"whole\":\(isWhole)}\n" as String)
    return json.bytes
  }

  /// The last line, by which a reader sees that the file is whole.
  public mutating func end() -> [UInt8] { Array("{\"type\":\"end\",\"posts\":\(posts)}\n".utf8) }

  /// The line of a record. It is valid until the next call.
  public mutating func line<Result>(_ record: LibraryRecord, _ use: ([UInt8]) throws -> Result) rethrows -> Result {
    json.clear()
    switch record {
    case .setting(let name, let value):
      json.raw("{\"type\":\"setting\",\"name\":" as StaticString)
      json.string(name)
      json.raw(",\"value\":" as StaticString)
      json.string(value)
    case .album(let fields): json.record("album", fields)
    case .search(let fields): json.record("search", fields)
    case .rule(let fields): json.record("rule", fields)
    case .hidden(let fields): json.record("hidden", fields)
    case .verdict(let fields): json.record("verdict", fields)
    case .tagVerdict(let fields): json.record("tag_verdict", fields)
    case .feed(let feed): json.feed(feed)
    case .author(let author):
      json.raw("{\"type\":\"author\"" as StaticString)
      json.columns(author.fields)
      json.part("avatar", author.avatar)
    case .post(let post):
      posts += 1
      json.post(post)
    case .unreadable(let fields): json.record("unreadable", fields)
    }
    json.raw("}\n" as StaticString)
    return try use(json.bytes)
  }
}

extension JSONBytes {
  /// A record of columns, without its last brace.
  fileprivate mutating func record<Column>(_ type: StaticString, _ fields: RecordFields<Column>) {
    raw("{\"type\":\"" as StaticString)
    raw(type)
    raw("\"" as StaticString)
    columns(fields)
  }

  fileprivate mutating func feed(_ feed: TransferredFeed) {
    raw("{\"type\":\"feed\"" as StaticString)
    columns(feed.fields)
    part("follow", feed.follow)
    part("visit", feed.visit)
    part("look", feed.look)
    parts("coverage", feed.coverage)
    parts("pulls", feed.pulls)
  }

  /// A value. Bytes are text where they are UTF-8, as answers of servers are, and an object with their base64 else.
  mutating func value(_ value: TransferValue) {
    switch value {
    case .null: raw("null" as StaticString)
    case .integer(let number): integer(number)
    case .real(let number): raw(number.isFinite ? "\(number)" : "null")
    case .text(let text): string(text)
    case .blob(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) { return string(text) }
      raw("{\"base64\":\"" as StaticString)
      raw(Base64.text(bytes))
      raw("\"}" as StaticString)
    }
  }

  /// `,"name":value` for each column.
  mutating func columns<Column>(_ fields: RecordFields<Column>) {
    for (column, value) in fields.pairs() { pair(column.rawValue, value) }
  }

  mutating func pair(_ name: String, _ value: TransferValue) {
    key(name)
    self.value(value)
  }

  /// `,"name":`
  mutating func key(_ name: String) {
    raw(",\"" as StaticString)
    raw(name)
    raw("\":" as StaticString)
  }

  /// An object, or null.
  mutating func part<Column>(_ name: String, _ fields: RecordFields<Column>?) {
    key(name)
    guard let fields else { return raw("null" as StaticString) }
    object(fields)
  }

  /// A list of objects.
  mutating func parts<Column>(_ name: String, _ rows: [RecordFields<Column>]) {
    key(name)
    list(rows) { $0.object($1) }
  }

  mutating func object<Column>(_ fields: RecordFields<Column>, except left: [Column] = []) {
    raw("{" as StaticString)
    for (index, (column, value)) in fields.pairs(except: left).enumerated() {
      raw(index == 0 ? "\"" as StaticString : ",\"" as StaticString)
      raw(column.rawValue)
      raw("\":" as StaticString)
      self.value(value)
    }
    raw("}" as StaticString)
  }

  mutating func list<Element>(_ elements: [Element], _ write: (inout JSONBytes, Element) -> Void) {
    raw("[" as StaticString)
    for (index, element) in elements.enumerated() {
      if index > 0 { raw("," as StaticString) }
      write(&self, element)
    }
    raw("]" as StaticString)
  }

  mutating func bool(_ value: Bool) { raw(value ? "true" as StaticString : "false" as StaticString) }
}

import JSONReading
import Posts
import Storage

extension JSONValue {
  /// The value of a column. Its type follows from how it is written; SQLite refuses it where the column has another.
  fileprivate var column: TransferValue {
    if let text = string { return .text(text) }
    if isNull { return .null }
    if let number = whole { return .integer(number) }
    if let number = number { return .real(number) }
    if let bytes = object?.string("base64").flatMap(Base64.bytes) { return .blob(bytes) }
    return bool.map { .integer($0 ? 1 : 0) } ?? .null
  }

  private var whole: Int64? {
    written.contains { !(48...57).contains($0) && $0 != UInt8(ascii: "-") }
      ? nil : Int64(String(decoding: written, as: UTF8.self))
  }
}

extension JSONObject {
  /// The most elements of a list.
  private static let most = 100_000

  fileprivate func columns<Column>() -> RecordFields<Column> {
    RecordFields { value($0.rawValue)?.column ?? .null }
  }

  fileprivate func part<Column>(_ name: StaticString) -> RecordFields<Column>? { object(name)?.columns() }

  fileprivate func parts<Column>(_ name: StaticString) -> [RecordFields<Column>] {
    objects(name, most: Self.most).map { $0.columns() }
  }

  fileprivate func texts(_ name: StaticString) -> [String] { list(name, most: Self.most).compactMap(\.string) }

  /// The record; nil if the object is none.
  var record: LibraryRecord? {
    switch string("type") {
    case nil: return post.map { .post($0) }
    case "feed":
      var feed = TransferredFeed(columns())
      (feed.follow, feed.visit, feed.look) = (part("follow"), part("visit"), part("look"))
      (feed.coverage, feed.pulls) = (parts("coverage"), parts("pulls"))
      return .feed(feed)
    case "album": return .album(columns())
    case "search": return .search(columns())
    case "hidden": return .hidden(columns())
    case "rule": return .rule(columns())
    case "verdict": return .verdict(columns())
    case "tag_verdict": return .tagVerdict(columns())
    case "author": return .author(TransferredAuthor(columns(), avatar: part("avatar")))
    case "setting":
      guard let name = string("name"), let value = string("value") else { return nil }
      return .setting(name: name, value: value)
    case "unreadable": return .unreadable((columns() as RecordFields<TransferColumns.Unreadable>).withBytes(.body))
    default: return nil
    }
  }

  private var post: TransferredPost? {
    guard has("id"), has("uri"), has("created_at") else { return nil }
    var post = TransferredPost(columns())
    if post[.warning] == .null { post[.warning] = .text("") }
    // Earlier versions did not write who may see it. The library looks at the answer, if there is one.
    if let value = value("visibility"), !value.isNull, value.string == nil {
      // What nobody knows is the narrowest.
      post[.visibility] = .text(Visibility.direct.rawValue)
    }
    if !has("visibility"), has("raw") { post[.visibility] = .text(Visibility.pending.rawValue) }
    post.writer = part("author")
    // A path, which is no name of bytes.
    post.writer?[.avatar] = .null
    post.state = part("person")
    post.recheck = part("recheck")
    post.quote = part("quote")
    post.raw = (part("raw") as RecordFields<TransferColumns.Raw>?)?.withBytes(.body)
    post.tags = texts("tags")
    post.aliases = texts("aliases")
    post.attachments = objects("attachments", most: Self.most).map { file in
      var fields: RecordFields<TransferColumns.Attachment> = file.columns()
      fields[.width] = file.value("declared_width")?.column ?? .null
      fields[.height] = file.value("declared_height")?.column ?? .null
      return TransferredFile(fields, blob: file.part("blob"))
    }
    post.revisions = parts("wordings")
    post.items = parts("feeds")
    post.ownTags = parts("own_tag_marks")
    post.albums = parts("album_places")
    post.earlierNotes = parts("earlier_notes")
    return post
  }
}

extension RecordFields {
  /// Bytes are written as text where they are UTF-8.
  fileprivate func withBytes(_ column: Column) -> RecordFields {
    guard case .text(let text) = self[column] else { return self }
    var fields = self
    fields[column] = .blob(Array(text.utf8))
    return fields
  }
}

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

  fileprivate func columns(_ names: [StaticString]) -> [TransferValue] { names.map { value($0)?.column ?? .null } }

  fileprivate func part(_ name: StaticString, _ names: [StaticString]) -> [TransferValue]? {
    object(name)?.columns(names)
  }

  fileprivate func parts(_ name: StaticString, _ names: [StaticString]) -> [[TransferValue]] {
    objects(name, most: Self.most).map { $0.columns(names) }
  }

  fileprivate func texts(_ name: StaticString) -> [String] { list(name, most: Self.most).compactMap(\.string) }

  /// Bytes are written as text where they are UTF-8.
  fileprivate static func bytes(_ values: [TransferValue], at index: Int) -> [TransferValue] {
    guard case .text(let text) = values[index] else { return values }
    var values = values
    values[index] = .blob(Array(text.utf8))
    return values
  }

  /// The record; nil if the object is none.
  var record: LibraryRecord? {
    switch string("type") {
    case nil: return post.map { .post($0) }
    case "feed":
      return .feed(
        TransferredFeed(
          values: columns(TransferColumns.feed), follow: part("follow", TransferColumns.follow),
          visit: part("visit", TransferColumns.visit), look: part("look", TransferColumns.look),
          coverage: parts("coverage", TransferColumns.coverage), pulls: parts("pulls", TransferColumns.pull)))
    case "author":
      return .author(
        TransferredAuthor(values: columns(TransferColumns.author), avatar: part("avatar", TransferColumns.blob)))
    case "setting":
      guard let name = string("name"), let value = string("value") else { return nil }
      return .setting(name: name, value: value)
    case "unreadable": return .unreadable(Self.bytes(columns(TransferColumns.unreadable), at: 5))
    default: return nil
    }
  }

  private var post: TransferredPost? {
    guard has("id"), has("uri"), has("created_at") else { return nil }
    var post = TransferredPost(values: columns(TransferColumns.post))
    if post[.warning] == .null { post[.warning] = .text("") }
    // Earlier versions did not write who may see it. The library looks at the answer, if there is one.
    if !has("visibility"), has("raw") { post[.visibility] = .text(Visibility.pending.rawValue) }
    post.writer = object("author").map { author in
      [author.value("uri")?.column, author.value("handle")?.column, author.value("name")?.column, nil].map {
        $0 ?? .null
      }
    }
    post.state = part("person", TransferColumns.state)
    post.recheck = part("recheck", TransferColumns.recheck)
    post.quote = part("quote", TransferColumns.quote)
    post.raw = part("raw", TransferColumns.raw).map { Self.bytes($0, at: 2) }
    post.tags = texts("tags")
    post.aliases = texts("aliases")
    post.attachments = objects("attachments", most: Self.most).map { file in
      var values = file.columns(TransferColumns.attachment)
      values[6] = file.value("declared_width")?.column ?? .null
      values[7] = file.value("declared_height")?.column ?? .null
      return TransferredFile(values: values, blob: file.part("blob", TransferColumns.blob))
    }
    post.revisions = parts("wordings", TransferColumns.revision)
    post.items = parts("feeds", TransferColumns.item)
    return post
  }
}

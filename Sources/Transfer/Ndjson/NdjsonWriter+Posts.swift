import Posts
import Storage

extension JSONBytes {
  /// The line of a post without its end: first what `media list --json` prints, then the rest.
  mutating func post(_ post: TransferredPost) {
    raw("{\"id\":" as StaticString)
    value(post[.id])
    let isManual = post[.source].text == SourceName.manual.rawValue
    raw(isManual ? ",\"origin\":\"manual\"" as StaticString : ",\"origin\":\"pulled\"" as StaticString)
    pair("source", post[.source])
    pair("server", post[.server])
    pair("remote_id", post[.remoteID])
    pair("url", post[.url])
    writer(post.writer)
    pair("visibility", post[.visibility])
    pair("created_at", post[.createdAt])
    pair("title", post[.title])
    pair("caption", post[.caption])
    key("tags")
    list(post.tags) { $0.string($1) }
    key("sensitive")
    bool(post[.sensitive] == .integer(1))
    pair("warning", post[.warning] == .text("") ? .null : post[.warning])
    pair("edited_at", post[.editedAt])
    pair("ends_at", post[.endsAt])
    pair("language", post[.language])
    key("gone")
    bool(post.recheck.map { $0[2] != .null } ?? false)
    repeats(post.items)
    key("revisions")
    integer(post.revisions.count)
    key("attachments")
    list(post.attachments) { $0.attachment($1) }
    part("quote", TransferColumns.quote, post.quote)
    pair("gone_at", post.recheck?[2] ?? .null)
    key("deleted")
    bool(post.state.map { $0[0] != .null } ?? false)
    rest(post)
  }

  private mutating func writer(_ writer: [TransferValue]?) {
    key("author")
    guard let writer else { return raw("null" as StaticString) }
    raw("{\"handle\":" as StaticString)
    value(writer[1])
    pair("name", writer[2])
    key("avatar")
    path(writer[3])
    pair("uri", writer[0])
    raw("}" as StaticString)
  }

  /// Where a picture's bytes are in the library's folder.
  private mutating func path(_ hash: TransferValue) {
    guard let hex = hash.text, hex.utf8.count == 64 else { return raw("null" as StaticString) }
    raw("\"blobs/\(hex.prefix(2))/\(hex.dropFirst(2))\"" as String)
  }

  /// Who repeated it, each once, earliest first.
  private mutating func repeats(_ items: [[TransferValue]]) {
    key("repeated_by")
    let repeats = items.filter { $0[5] != .null }
    guard !repeats.isEmpty else { return raw("[]" as StaticString) }
    var seen: Set<String> = []
    let handles = repeats.sorted { ($0[6].text ?? "") < ($1[6].text ?? "") }
      .compactMap(\.last?.text).filter { seen.insert($0).inserted }
    list(handles) { $0.string($1) }
  }

  private mutating func attachment(_ file: TransferredFile) {
    let isStored = file.blob != nil && file.values[9].text == "stored"
    let blob = isStored ? file.blob : nil
    func known(_ inBlob: Int, _ declared: Int) -> TransferValue {
      blob.map { $0[inBlob] == .null ? file.values[declared] : $0[inBlob] } ?? file.values[declared]
    }
    raw("{\"kind\":" as StaticString)
    value(file.values[0])
    pair("url", file.values[2])
    pair("alt", file.values[5])
    pair("width", known(3, 6))
    pair("height", known(4, 7))
    pair("sha256", blob?[0] ?? .null)
    key("path")
    path(blob?[0] ?? .null)
    pair("state", file.values[9])
    pair("name", file.values[14])
    pair("remote_id", file.values[1])
    pair("alternate_url", file.values[3])
    pair("preview_url", file.values[4])
    pair("declared_width", file.values[6])
    pair("declared_height", file.values[7])
    pair("blurhash", file.values[8])
    columns(TransferColumns.attachment[10..<14], file.values[10..<14])
    part("blob", TransferColumns.blob, file.blob)
    raw("}" as StaticString)
  }

  /// Without the handle.
  private static let itemNames = Array(TransferColumns.item.dropLast())

  private mutating func rest(_ post: TransferredPost) {
    pair("uri", post[.uri])
    pair("caption_html", post[.captionHTML])
    pair("stored_at", post[.storedAt])
    pair("updated_at", post[.updatedAt])
    part("person", TransferColumns.state, post.state)
    part("recheck", TransferColumns.recheck, post.recheck)
    key("aliases")
    list(post.aliases) { $0.string($1) }
    parts("wordings", TransferColumns.revision, post.revisions)
    key("feeds")
    list(post.items) { $0.object(Self.itemNames, $1) }
    if post.raw != nil { part("raw", TransferColumns.raw, post.raw) }
  }
}

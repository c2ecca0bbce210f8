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
    bool(post.recheck.map { $0[.goneAt] != .null } ?? false)
    repeats(post.items)
    key("revisions")
    integer(post.revisions.count)
    key("attachments")
    list(post.attachments) { $0.attachment($1) }
    part("quote", post.quote)
    marks(post)
    pair("gone_at", post.recheck?[.goneAt] ?? .null)
    key("deleted")
    bool(post.state.map { $0[.deletedAt] != .null } ?? false)
    rest(post)
  }

  private mutating func writer(_ writer: RecordFields<TransferColumns.Writer>?) {
    key("author")
    guard let writer else { return raw("null" as StaticString) }
    raw("{\"handle\":" as StaticString)
    value(writer[.handle])
    pair("name", writer[.name])
    key("avatar")
    path(writer[.avatar])
    pair("uri", writer[.uri])
    raw("}" as StaticString)
  }

  private mutating func marks(_ post: TransferredPost) {
    key("favourite")
    bool(post.state?[.favourite] == .integer(1))
    key("rating")
    integer(post.state?[.rating].integer ?? 0)
    key("seen")
    bool(post.state.map { $0[.seenAt] != .null } ?? false)
    pair("note", post.state?[.note] ?? .null)
    key("own_tags")
    list(post.ownTags.filter { $0[.isSet] == .integer(1) }) { $0.value($1[.name]) }
  }

  /// Where a picture's bytes are in the library's folder.
  private mutating func path(_ hash: TransferValue) {
    guard let hex = hash.text, hex.utf8.count == 64 else { return raw("null" as StaticString) }
    raw("\"blobs/\(hex.prefix(2))/\(hex.dropFirst(2))\"" as String)
  }

  /// Who repeated it, each once, earliest first.
  private mutating func repeats(_ items: [RecordFields<TransferColumns.Item>]) {
    key("repeated_by")
    let repeats = items.filter { $0[.repeatedBy] != .null }
    guard !repeats.isEmpty else { return raw("[]" as StaticString) }
    var seen: Set<String> = []
    let handles = repeats.sorted { ($0[.repeatedAt].text ?? "") < ($1[.repeatedAt].text ?? "") }
      .compactMap { $0[.handle].text }.filter { seen.insert($0).inserted }
    list(handles) { $0.string($1) }
  }

  private mutating func attachment(_ file: TransferredFile) {
    let fields = file.fields
    let blob = file.isStored ? file.blob : nil
    func known(_ stored: TransferColumns.Blob, _ declared: TransferColumns.Attachment) -> TransferValue {
      guard let value = blob?[stored], value != .null else { return fields[declared] }
      return value
    }
    raw("{\"kind\":" as StaticString)
    value(fields[.kind])
    pair("url", fields[.url])
    pair("alt", fields[.alt])
    pair("width", known(.width, .width))
    pair("height", known(.height, .height))
    pair("sha256", blob?[.sha256] ?? .null)
    key("path")
    path(blob?[.sha256] ?? .null)
    pair("state", fields[.state])
    pair("skipped_for", file.skippedFor)
    pair("name", fields[.name])
    pair("remote_id", fields[.remoteID])
    pair("alternate_url", fields[.alternateURL])
    pair("preview_url", fields[.previewURL])
    pair("declared_width", fields[.width])
    pair("declared_height", fields[.height])
    for column: TransferColumns.Attachment in [
      .blurhash, .attempts, .nextTryAt, .failure, .goneAt, .skippedBy, .limits,
    ] {
      pair(column.rawValue, fields[column])
    }
    part("blob", file.blob)
    raw("}" as StaticString)
  }

  /// The columns that have no place of their own in a line.
  private static let others = TransferColumns.Post.allCases.filter {
    ![
      .id, .source, .uri, .url, .server, .remoteID, .createdAt, .endsAt, .editedAt, .title, .caption, .captionHTML,
      .warning, .sensitive, .language, .visibility, .storedAt, .updatedAt,
    ].contains($0)
  }

  private mutating func rest(_ post: TransferredPost) {
    pair("uri", post[.uri])
    pair("caption_html", post[.captionHTML])
    pair("stored_at", post[.storedAt])
    pair("updated_at", post[.updatedAt])
    part("person", post.state)
    parts("own_tag_marks", post.ownTags)
    parts("album_places", post.albums)
    parts("earlier_notes", post.earlierNotes)
    part("recheck", post.recheck)
    key("aliases")
    list(post.aliases) { $0.string($1) }
    parts("wordings", post.revisions)
    key("feeds")
    list(post.items) { $0.object($1, except: [.handle]) }
    for column in Self.others { pair(column.rawValue, post[column]) }
    if post.raw != nil { part("raw", post.raw) }
  }
}

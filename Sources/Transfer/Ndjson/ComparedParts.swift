import Storage

/// Which parts of two records with one identity differ.
enum Parts {
  static func differing(_ one: TransferredAuthor, _ other: TransferredAuthor) -> [String] {
    names(one.fields, other.fields) + (blob(one.avatar) == blob(other.avatar) ? [] : ["avatar"])
  }

  static func differing(_ one: TransferredFeed, _ other: TransferredFeed) -> [String] {
    var parts = names(one.fields, other.fields)
    if one.follow != other.follow { parts.append("follow") }
    if one.visit != other.visit { parts.append("visit") }
    if one.look != other.look { parts.append("look") }
    if coverage(one) != coverage(other) { parts.append("coverage") }
    if pulls(one) != pulls(other) { parts.append("pulls") }
    return parts
  }

  static func differing(
    _ one: TransferredPost, _ other: TransferredPost, _ ordinals: (Ordinals, Ordinals)
  ) -> [String] {
    var parts = names(one.fields, other.fields, except: [.id])
    if one.writer?[.uri] != other.writer?[.uri] { parts.append("author") }
    if one.tags != other.tags { parts.append("tags") }
    if one.attachments.map(file) != other.attachments.map(file) { parts.append("attachments") }
    if one.state != other.state { parts.append("person") }
    if one.ownTags != other.ownTags { parts.append("own tags") }
    if places(one) != places(other) { parts.append("albums") }
    if one.earlierNotes != other.earlierNotes { parts.append("earlier notes") }
    if one.recheck != other.recheck { parts.append("recheck") }
    if one.quote?.without(.id) != other.quote?.without(.id) { parts.append("quote") }
    if one.aliases.sorted() != other.aliases.sorted() { parts.append("aliases") }
    if one.revisions != other.revisions { parts.append("wordings") }
    if items(one, ordinals.0) != items(other, ordinals.1) { parts.append("feeds") }
    return parts
  }

  private static func names<Column>(
    _ one: RecordFields<Column>, _ other: RecordFields<Column>, except left: [Column] = []
  ) -> [String] {
    one.pairs(except: left).filter { other[$0.column] != $0.value }.map(\.column.rawValue)
  }

  /// Bytes without the time at which this library stored them.
  private static func blob(_ blob: RecordFields<TransferColumns.Blob>?) -> RecordFields<TransferColumns.Blob>? {
    blob?.without(.storedAt)
  }

  private static func file(_ file: TransferredFile) -> TransferredFile {
    TransferredFile(file.fields, blob: blob(file.blob))
  }

  /// Places without their albums: where two albums became one, each library has the identity that it had.
  private static func places(_ post: TransferredPost) -> [RecordFields<TransferColumns.AlbumPost>] {
    post.albums.map { $0.without(.album) }.sorted {
      ($0[.place].text ?? "", $0[.stamp].text ?? "") < ($1[.place].text ?? "", $1[.stamp].text ?? "")
    }
  }

  private static func items(_ post: TransferredPost, _ ordinals: Ordinals) -> [RecordFields<TransferColumns.Item>] {
    post.items.map { item in
      var item = item.without(.handle)
      item[.coverage] = ordinals.of(item[.coverage])
      return item
    }.sorted { ($0[.feed].text ?? "", $0[.remoteID].text ?? "") < ($1[.feed].text ?? "", $1[.remoteID].text ?? "") }
  }

  private static func coverage(_ feed: TransferredFeed) -> [RecordFields<TransferColumns.Coverage>] {
    let ordinals = Ordinals([feed])
    return feed.coverage.map { interval in
      var interval = interval
      (interval[.id], interval[.heir]) = (ordinals.of(interval[.id]), ordinals.of(interval[.heir]))
      return interval
    }
  }

  private static func pulls(_ feed: TransferredFeed) -> [RecordFields<TransferColumns.Pull>] {
    let ordinals = Ordinals([feed])
    return feed.pulls.map { pull in
      var pull = pull
      pull[.coverage] = ordinals.of(pull[.coverage])
      return pull
    }
  }
}

extension RecordFields {
  /// The same without the value of a column.
  fileprivate func without(_ column: Column) -> RecordFields {
    var fields = self
    fields[column] = .null
    return fields
  }
}

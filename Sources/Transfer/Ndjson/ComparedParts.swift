import Storage

/// Which parts of two records with one identity differ.
enum Parts {
  static func differing(_ one: TransferredAuthor, _ other: TransferredAuthor) -> [String] {
    names(TransferColumns.author, one.values, other.values)
      + (blob(one.avatar) == blob(other.avatar) ? [] : ["avatar"])
  }

  static func differing(_ one: TransferredFeed, _ other: TransferredFeed) -> [String] {
    var parts = names(TransferColumns.feed, one.values, other.values)
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
    var parts = names(TransferColumns.post.dropFirst(), one.values.dropFirst(), other.values.dropFirst())
    if one.writer?.first != other.writer?.first { parts.append("author") }
    if one.tags != other.tags { parts.append("tags") }
    if one.attachments.map(file) != other.attachments.map(file) { parts.append("attachments") }
    if one.state != other.state { parts.append("person") }
    if one.recheck != other.recheck { parts.append("recheck") }
    if one.quote?.dropFirst() != other.quote?.dropFirst() { parts.append("quote") }
    if one.aliases.sorted() != other.aliases.sorted() { parts.append("aliases") }
    if one.revisions != other.revisions { parts.append("wordings") }
    if items(one, ordinals.0) != items(other, ordinals.1) { parts.append("feeds") }
    return parts
  }

  private static func names(
    _ names: some Sequence<StaticString>, _ one: some Sequence<TransferValue>, _ other: some Sequence<TransferValue>
  ) -> [String] {
    zip(names, zip(one, other)).filter { $1.0 != $1.1 }.map { $0.0.description }
  }

  /// Bytes without the time at which this library stored them.
  private static func blob(_ values: [TransferValue]?) -> [TransferValue]? { values.map { Array($0.dropLast()) } }

  private static func file(_ file: TransferredFile) -> TransferredFile {
    TransferredFile(values: file.values, blob: blob(file.blob))
  }

  private static func items(_ post: TransferredPost, _ ordinals: Ordinals) -> [[TransferValue]] {
    post.items.map { item in
      var item = item
      item[2] = ordinals.of(item[2])
      return Array(item.dropLast())
    }.sorted { ($0[0].text ?? "", $0[1].text ?? "") < ($1[0].text ?? "", $1[1].text ?? "") }
  }

  private static func coverage(_ feed: TransferredFeed) -> [[TransferValue]] {
    let ordinals = Ordinals([feed])
    return feed.coverage.map { interval in
      var interval = interval
      (interval[0], interval[7]) = (ordinals.of(interval[0]), ordinals.of(interval[7]))
      return interval
    }
  }

  private static func pulls(_ feed: TransferredFeed) -> [[TransferValue]] {
    let ordinals = Ordinals([feed])
    return feed.pulls.map { pull in
      var pull = pull
      pull[0] = ordinals.of(pull[0])
      return pull
    }
  }
}

import Posts
import Rows

extension RecordMerge {
  private static let fileInsertion = Database.insertion(
    into: "attachment", "post, position, blob, \(RecordFields<TransferColumns.Attachment>.list())",
    RecordFields<TransferColumns.Attachment>.columns.count + 3)

  /// Stores the attachments of a post that has none yet.
  func write(_ files: [TransferredFile], of post: Int64) throws {
    for (position, file) in files.enumerated() {
      var fields = file.fields
      var blob: Int64?
      if let bytes = file.blob.flatMap(available) {
        blob = try PictureWriter(db: db, now: now).row(of: bytes)
      } else if fields[.state].text == "stored" {
        let hasAddress = fields[.url] != .null || fields[.alternateURL] != .null
        fields[.state] = .text(hasAddress ? "pending" : "gone")
        if !hasAddress { fields[.failure] = .text("its bytes were not in the import") }
      }
      try db.run(Self.fileInsertion, [post, position, blob] + fields.arguments())
    }
  }

  /// The later list of attachments wins. Bytes that either library has are kept.
  ///
  /// - Returns: Whether anything changed.
  func mergePictures(_ local: TransferredPost, _ post: TransferredPost, of id: Int64) throws -> Bool {
    let isSame = local.attachments.map(\.identity) == post.attachments.map(\.identity)
    let later = isSame || !post.isLater(than: local) ? local.attachments : post.attachments
    let earlier = later == local.attachments ? post.attachments : local.attachments
    let merged = later.enumerated().map { position, file in
      var file = file
      let found = isSame ? earlier[position] : earlier.first { $0.identity == file.identity && $0.isStored }
      guard !file.isStored, let found, found.isStored, let blob = found.blob, isStored(blob, in: local) else {
        return file
      }
      file.blob = blob
      for column: TransferColumns.Attachment in [.state, .attempts, .nextTryAt, .failure, .goneAt] {
        file.fields[column] = found.fields[column]
      }
      file.fields[.skippedBy] = .null
      return file
    }
    guard merged != local.attachments else { return false }
    try db.run("DELETE FROM attachment WHERE post = $1", [id])
    var writer = self
    writer.keeping = Set(local.attachments.compactMap { $0.blob?[.sha256].text })
    try writer.write(merged, of: id)
    return true
  }

  private func isStored(_ blob: RecordFields<TransferColumns.Blob>, in local: TransferredPost) -> Bool {
    available(blob) != nil || local.attachments.contains { $0.blob?[.sha256] == blob[.sha256] && $0.isStored }
  }
}

extension TransferredFile {
  /// What makes two attachments the same.
  var identity: [TransferValue] {
    let (kind, remoteID, url) = (fields[.kind], fields[.remoteID], fields[.url])
    // A file that was attached by hand has no address.
    if url == .null, remoteID == .null { return [kind, .null, fields[.name]] }
    return [kind, remoteID, url]
  }

  /// Why a limit or a rule left it out, in words. Null if none did.
  public var skippedFor: TransferValue {
    guard fields[.state].text == "skipped" else { return .null }
    let limit = LeftOut(stored: fields[.skippedBy].text, limits: fields[.limits].text)
    return limit.map { .text($0.description) } ?? fields[.failure]
  }

  /// Whether its bytes are stored.
  public var isStored: Bool { blob != nil && fields[.state].text == "stored" }
}

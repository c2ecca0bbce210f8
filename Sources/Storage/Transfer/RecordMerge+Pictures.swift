import Posts
import Rows

extension RecordMerge {
  private static let fileInsertion = Database.insertion(
    into: "attachment", "post, position, blob, \(TransferColumns.attachment.sql)", TransferColumns.attachment.count + 3)
  private static let (stateColumn, urlColumn, alternateColumn, failureColumn) = (9, 2, 3, 12)

  /// Stores the attachments of a post that has none yet.
  func write(_ files: [TransferredFile], of post: Int64) throws {
    for (position, file) in files.enumerated() {
      guard file.values.count == TransferColumns.attachment.count else {
        throw RefusedRecord("its attachment \(position + 1) is not complete")
      }
      var values = file.values
      var blob: Int64?
      if let bytes = file.blob.flatMap(available) {
        blob = try PictureWriter(db: db, now: now).row(of: bytes)
      } else if values[Self.stateColumn].text == "stored" {
        let hasAddress = values[Self.urlColumn] != .null || values[Self.alternateColumn] != .null
        values[Self.stateColumn] = .text(hasAddress ? "pending" : "gone")
        if !hasAddress { values[Self.failureColumn] = .text("its bytes were not in the import") }
      }
      try db.run(Self.fileInsertion, [post, position, blob] + values.arguments)
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
      file.values.replaceSubrange(9..<14, with: found.values[9..<14])
      return file
    }
    guard merged != local.attachments else { return false }
    try db.run("DELETE FROM attachment WHERE post = ?", [id])
    var writer = self
    writer.keeping = Set(local.attachments.compactMap { $0.blob?.first?.text })
    try writer.write(merged, of: id)
    return true
  }

  private func isStored(_ blob: [ColumnContent], in local: TransferredPost) -> Bool {
    available(blob) != nil || local.attachments.contains { $0.blob?.first == blob.first && $0.isStored }
  }
}

extension TransferredFile {
  /// What makes two attachments the same.
  var identity: [TransferValue] {
    let (kind, remoteID, url) = (values[0], values[1], values[2])
    // A file that was attached by hand has no address.
    if url == .null, remoteID == .null { return [kind, .null, values[14]] }
    return [kind, remoteID, url]
  }

  /// Whether its bytes are stored.
  public var isStored: Bool { blob != nil && values[9].text == "stored" }
}

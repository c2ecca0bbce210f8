import Blobs

/// A blob as its row tells of it.
struct BlobRow {
  let id: Int64
  let name: String
  let byteCount: Int
  /// Whether something counts on its bytes.
  let isShown: Bool
  /// Whether an attachment had its bytes and gave them up.
  let isGivenUp: Bool
  /// Whether an attachment has it that could get it from nowhere else.
  let isOnly: Bool
  /// A post that has it.
  let post: Int64?

  var blob: BlobID? { BlobID(name) }

  static let isShown = """
    (EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id AND state = 'stored')
      OR EXISTS (SELECT 1 FROM author WHERE avatar_blob = blob.id))
    """

  static let isGivenUp = "EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id AND state <> 'stored')"

  private static let query = """
    SELECT id, sha256, bytes, \(isShown), \(isGivenUp),
      EXISTS (SELECT 1 FROM attachment
        WHERE blob = blob.id AND state = 'stored' AND coalesce(url, alternate_url) IS NULL),
      (SELECT post FROM attachment WHERE blob = blob.id ORDER BY post LIMIT 1)
    FROM blob
    """

  /// The next rows by number.
  static func after(_ last: Int64, limit: Int, in db: Database) throws -> [BlobRow] {
    try db.rows("\(query) WHERE id > ? ORDER BY id LIMIT ?", [last, limit]).map(BlobRow.init)
  }

  /// The row as it is now; nil where it is another blob's, or gone.
  func again(in db: Database) throws -> BlobRow? {
    try db.row("\(Self.query) WHERE id = ? AND sha256 = ? AND bytes = ?", [id, name, byteCount]).map(BlobRow.init)
  }

  private init(_ row: Columns) {
    (id, name, byteCount) = (row[0], row[1], row[2])
    (isShown, isGivenUp, isOnly, post) = (row[3], row[4], row[5], row[6])
  }
}

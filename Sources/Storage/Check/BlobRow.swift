import Blobs
import Rows

/// The row of a blob.
struct BlobRow: RowDecodable {
  let id: Int64
  let name: String
  let byteCount: Int
  /// Whether something shows its bytes.
  let isShown: Bool
  /// Whether an attachment gave up its bytes.
  let isGivenUp: Bool
  /// Whether an attachment shows it that has no address to fetch it from.
  let isOnly: Bool
  /// A post that has it.
  let post: Int64?

  var blob: BlobID? { BlobID(name) }
  /// Whether its bytes have to be in the store of blobs.
  var isStored: Bool { isShown || !isGivenUp }

  static let isShown = """
    (EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id AND state = 'stored')
      OR EXISTS (SELECT 1 FROM author WHERE avatar_blob = blob.id))
    """

  static let isGivenUp = "EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id AND state <> 'stored')"

  /// Whether its bytes have to be in the store of blobs.
  static let isStored = "(\(isShown) OR NOT \(isGivenUp))"

  private static let query = """
    SELECT id, sha256, bytes, \(isShown) AS is_shown, \(isGivenUp) AS is_given_up,
      EXISTS (SELECT 1 FROM attachment
        WHERE blob = blob.id AND state = 'stored' AND coalesce(url, alternate_url) IS NULL) AS is_only,
      (SELECT post FROM attachment WHERE blob = blob.id ORDER BY post LIMIT 1) AS post
    FROM blob
    """

  /// The next rows, by number.
  static func after(_ last: Int64, limit: Int, in db: Database) throws -> [BlobRow] {
    try db.rows("\(query) WHERE id > $1 ORDER BY id LIMIT $2", [last, limit])
  }

  /// The current row; nil if the row is gone or belongs to another blob.
  func again(in db: Database) throws -> BlobRow? {
    try db.row("\(Self.query) WHERE id = $1 AND sha256 = $2 AND bytes = $3", [id, name, byteCount])
  }

  init(_ row: some RowReading) throws {
    (id, name, byteCount) = try (row["id"], row["sha256"], row["bytes"])
    (isShown, isGivenUp, isOnly) = try (row["is_shown"], row["is_given_up"], row["is_only"])
    post = try row["post"]
  }
}

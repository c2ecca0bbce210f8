import Blobs
import Posts
import Rows

/// Where a library on a server keeps its pictures.
struct PictureLocation: Equatable, RowDecodable {
  /// The address, as the place itself says it: a folder, or `s3://bucket/prefix`.
  let address: String
  /// What the place says of itself, too, in the file `library-identity`.
  let identity: String

  init(_ row: some RowReading) throws { (address, identity) = try (row["address"], row["identity"]) }

  /// The file that holds a place's identity.
  static let fileName = PlacedBlobs.identityFile

  /// The content of that file.
  var bytes: [UInt8] { Array("\(identity)\nThe pictures of a library of media are here, and of no other one.\n".utf8) }
}

extension BlobPlace {
  /// The identity of the library whose pictures are here; nil if it is no library's yet, and empty if the file is damaged.
  func libraryIdentity() throws(BlobError) -> String? {
    guard let bytes = try file(named: PictureLocation.fileName, limit: 4096) else { return nil }
    // After a loss of power a file may be empty, or hold nothing but zeros.
    return String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Whether a library of its own or a backup is here: their garbage collection would remove what they do not know.
  func isOccupied() throws(BlobError) -> Bool {
    let own = ["media.sqlite", "media-backup.json"]
    for name in own + Self.marks.map({ "blobs/\($0)" }) where try hasFile(named: name) { return true }
    return false
  }

  /// The library or the backup that would take what is here for strange files among its pictures; nil if there is none.
  func outerLibrary() -> String? { outerPlace(holding: Self.marks) }
}

// The records of the place.

extension Store {
  /// Where the pictures are; nil if none was stored yet.
  func pictureLocation() throws(StorageError) -> PictureLocation? {
    try read { try $0.row("SELECT address, identity FROM picture_place") }
  }

  /// Records the place of the pictures, with a new identity, unless one is recorded.
  ///
  /// - Returns: What is recorded then.
  func claimPictureLocation(at address: String) throws(StorageError) -> PictureLocation? {
    try writeDurably { db in
      try db.run(
        """
        INSERT INTO picture_place (id, address, identity) VALUES (1, $1, CAST(gen_random_uuid() AS text))
        ON CONFLICT (id) DO NOTHING
        """, [address])
      return try db.row("SELECT address, identity FROM picture_place")
    }
  }

  /// Replaces a recorded place by another one with a new identity, or forgets it.
  ///
  /// - Returns: What is recorded then.
  func movePictureLocation(_ place: PictureLocation, to address: String?) throws(StorageError) -> PictureLocation? {
    try writeDurably { db in
      let known: Arguments = [place.address, place.identity]
      if let address {
        try db.run(
          """
          UPDATE picture_place SET address = $1, identity = CAST(gen_random_uuid() AS text)
          WHERE address = $2 AND identity = $3
          """, [address] + known)
      } else {
        try db.run("DELETE FROM picture_place WHERE address = $1 AND identity = $2", known)
      }
      return try db.row("SELECT address, identity FROM picture_place")
    }
  }

  /// The oldest pictures whose bytes have to be there.
  func oldestBlobs(limit: Int) throws(StorageError) -> [BlobID] {
    try read { db in
      let names: [String] = try db.values(
        "SELECT sha256 FROM blob WHERE \(BlobRow.isStored) ORDER BY id LIMIT $1", [limit])
      return names.compactMap { BlobID($0) }
    }
  }
}

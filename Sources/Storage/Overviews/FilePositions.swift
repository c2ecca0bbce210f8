import Rows

/// Where a file was taken, to some metres.
public struct FilePosition: Sendable, Hashable {
  /// Degrees north of the equator.
  public var latitude: Float
  /// Degrees east of Greenwich.
  public var longitude: Float
}

extension Store {
  /// Where the files of a list's posts were taken. A file that several of the posts show counts once.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func filePositions(of list: PostListQuery) throws(StorageError) -> [FilePosition] {
    let posts = try members(of: list)
    return try read { db in
      var last: Int64?
      return try db.rows(
        """
        SELECT f.blob, f.latitude, f.longitude, a.post FROM file_facts f \(db.crossJoin) attachment a ON a.blob = f.blob
        WHERE f.latitude IS NOT NULL AND f.longitude IS NOT NULL ORDER BY f.blob
        """
      ) { row -> FilePosition? in
        let file: Int64 = try row["blob"]
        guard file != last, posts.contains(try row.number("post")) else { return nil }
        last = file
        return FilePosition(
          latitude: Float(try row["latitude"] as Double), longitude: Float(try row["longitude"] as Double))
      }.compactMap(\.self)
    }
  }
}

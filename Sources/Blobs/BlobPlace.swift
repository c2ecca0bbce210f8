/// A store of blobs with small files beside the blobs, by which a library knows the place again.
public protocol BlobPlace: BlobStoring {
  /// What people know the place by: a folder, or `s3://bucket/prefix`.
  var location: String { get }

  /// Reads a small file beside the blobs.
  ///
  /// - Parameters:
  ///   - name: Its name within the place.
  ///   - limit: The maximum number of its bytes.
  /// - Returns: Its bytes; nil if it is absent.
  func file(named name: String, limit: Int) throws(BlobError) -> [UInt8]?

  /// Whether there is a file beside the blobs. It does not read it.
  func hasFile(named name: String) throws(BlobError) -> Bool

  /// Writes a small file beside the blobs unless there is one of its name. When this returns, it survives a loss of power.
  ///
  /// - Returns: False if there is one, which stays as it is.
  func create(_ bytes: [UInt8], named name: String) throws(BlobError) -> Bool

  /// Removes a file beside the blobs, if it is there.
  func removeFile(named name: String) throws(BlobError)

  /// Looks for a place that would take what is here for its own blobs: one above a folder `blobs` of this one's path.
  ///
  /// - Parameter names: The files of which it has one.
  /// - Returns: What people know it by; nil if there is none, or none that may be asked.
  func outerPlace(holding names: [String]) -> String?
}

extension BlobPlace {
  /// The file by which a library knows the place of its pictures again.
  package static var identityFile: String { "library-identity" }

  /// The files by which a place of pictures, a library and a backup are known, the last one from when it begins.
  package static var marks: [String] { [identityFile, "media.sqlite", "media-backup.json", "media-backup.lock"] }

  /// What stands above each folder `blobs` of a path, without slashes at its ends.
  package static func outerPaths(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return parts.indices.filter { parts[$0] == "blobs" }.map { parts[..<$0].joined(separator: "/") }
  }
}

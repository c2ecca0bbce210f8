import Foundation
import ScriptedOrigin
import Testing

@testable import Storage

/// A library as an earlier version left it, from the fixtures of `StorageTests`.
enum EarlierLibrary {
  /// Makes a library in a folder.
  static func unpack(_ version: String, into sandbox: Sandbox) throws {
    try unpackPictures(into: sandbox)
    let store = try bytes(of: "\(version).sqlite")
    try Data(store).write(to: URL(fileURLWithPath: "\(sandbox.library)/media.sqlite"))
  }

  /// Writes what pg_dump wrote of a library on a server.
  ///
  /// - Returns: The path of the file.
  static func dump(of version: String, into sandbox: Sandbox) throws -> String {
    let path = "\(sandbox.folder)/\(version).sql"
    try Data(try bytes(of: "\(version).sql")).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func bytes(of name: String) throws -> [UInt8] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let kept = tests.appendingPathComponent("StorageTests/Fixtures/\(name).zst")
    return try #require(RawBytes.decompress(Array(try Data(contentsOf: kept))))
  }

  /// Makes the pictures that such a library knows.
  static func unpackPictures(into sandbox: Sandbox) throws {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: sandbox.library, withIntermediateDirectories: true, attributes: attributes)
    for bytes in ["first", "second", "avatar"].map({ Array($0.utf8) }) {
      let hash = Picture.sha256(bytes)
      let folder = "\(sandbox.library)/blobs/\(hash.prefix(2))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: attributes)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(hash.dropFirst(2))"))
    }
  }
}

import Foundation
import ScriptedOrigin
import Testing

@testable import Storage

/// A library as an earlier version left it, from the fixtures of `StorageTests`.
enum EarlierLibrary {
  static func unpack(_ version: String, into sandbox: Sandbox) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let kept = tests.appendingPathComponent("StorageTests/Fixtures/\(version).sqlite.zst")
    let store = try #require(RawBytes.decompress(Array(try Data(contentsOf: kept))))
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: sandbox.library, withIntermediateDirectories: true, attributes: attributes)
    try Data(store).write(to: URL(fileURLWithPath: "\(sandbox.library)/media.sqlite"))
    // The pictures that it knows.
    for bytes in ["first", "second", "avatar"].map({ Array($0.utf8) }) {
      let hash = Picture.sha256(bytes)
      let folder = "\(sandbox.library)/blobs/\(hash.prefix(2))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: attributes)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(hash.dropFirst(2))"))
    }
  }
}

import Blobs
import Folders
import Foundation
import Posts
import Storage

@testable import Transfer

/// A folder to import, and the library that it is imported into.
struct ImportedFolder {
  private let scratch: Scratch
  private let home: Scratch
  let store: Store
  let blobs: DiskBlobs
  static let now = Date(timeIntervalSince1970: 1_763_640_000)

  /// An empty folder, and an empty library.
  init() throws {
    (scratch, home) = (try Scratch(), try Scratch())
    store = try Store.open(library: home.path, now: Self.now)
    blobs = DiskBlobs(library: home.path)
  }

  /// An empty folder that is imported into the library of another one.
  init(into other: ImportedFolder) throws {
    (scratch, home, store, blobs) = (try Scratch(), other.home, other.store, other.blobs)
  }

  func write(_ path: String, _ text: String) throws { try write(path, bytes: Array(text.utf8)) }

  func write(_ path: String, json: Any, after prefix: String = "") throws {
    let json = try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
    try write(path, bytes: Array(prefix.utf8) + json)
  }

  /// Writes a file that says of itself to be a JPEG, with bytes of its own.
  func picture(_ path: String) throws {
    try write(path, bytes: bytes(ofPicture: path))
  }

  func bytes(ofPicture path: String) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array(path.utf8) + [0xFF, 0xD9] }

  func write(_ path: String, bytes: [UInt8]) throws {
    let file = URL(filePath: "\(scratch.path)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func link(_ path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/\(path)", withDestinationPath: "elsewhere")
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(path)") }

  /// Imports the folder, or looks what that would bring.
  func imported(
    isPlan: Bool = false, as feed: String = "it"
  ) throws -> (report: Importer.Report, format: String, balance: ImportBalance?, leftOut: [String: Int]) {
    let tree = try importTree(scratch.path)
    let format = try ImportFormat.recognized(tree)
    let reader = try format.makeReader(tree)
    let importer = Importer(
      store: store, blobs: blobs, feed: .importing(feed), includesPrivate: false, now: { Self.now })
    let report = try isPlan ? importer.plan(reader) { _ in } : importer.run(reader, of: tree) { _ in }
    let left = Dictionary(reader.leftOut.map { ($0.what, $0.count) }) { $0 + $1 }
    return (report, format.name, reader.balance, left)
  }

  /// The stored posts, newest first.
  func posts() throws -> [StoredPost] { try store.posts(PostQuery(limit: nil)) }
}

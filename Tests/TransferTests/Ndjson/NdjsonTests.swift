import Blobs
import Folders
import Foundation
import Posts
import PropertyTesting
import Storage
import Testing
import Transfer

@Suite struct NdjsonTests {
  private func library(seed: UInt64, steps: Int = 25) throws -> RandomLibrary {
    var dice = Dice(state: seed)
    var library = try RandomLibrary()
    try library.live(steps, &dice)
    return library
  }

  private func export(_ library: RandomLibrary, _ query: PostQuery? = nil, raw: Bool = true) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try NdjsonExport(of: library.store, program: "1", now: library.now).run(of: query, raw: raw) { bytes += $0 }
    return bytes
  }

  @discardableResult
  private func read(
    _ bytes: [UInt8], into library: RandomLibrary, from pictures: (any BlobStoring)? = nil, dryRun: Bool = false,
    pieces: Int = 10_007
  ) throws -> NdjsonImport.Result {
    var rest = bytes[...]
    let reading = NdjsonImport(
      into: library.store, blobs: library.blobs, pictures: pictures, dryRun: dryRun, now: library.now)
    return try reading.run {
      defer { rest = rest.dropFirst(pieces) }
      return Array(rest.prefix(pieces))
    }
  }

  /// The gaps without the numbers of intervals.
  private func gaps(_ library: RandomLibrary) throws -> Set<String> {
    Set(
      try library.store.gaps().map {
        "\($0.feed) \($0.kind) \($0.above ?? "") \($0.below ?? "") \($0.from ?? .distantPast) \($0.to ?? .distantFuture)"
      })
  }

  private func differences(_ one: RandomLibrary, _ other: RandomLibrary) throws -> [String] {
    var found: [String] = []
    _ = try LibraryComparison(one.store, one.blobs, with: other.store, other.blobs).run { found.append("\($0)") }
    return found
  }

  private func findings(_ library: RandomLibrary) throws -> [String] {
    var found: [String] = []
    _ = try library.store.check(
      library.blobs, CheckPlan(), now: library.now, isPulling: { false }, onStep: { _ in }
    ) { finding, _ in found.append("\(finding)") }
    return found
  }

  @Test func `a byte order mark before the first line does not count`() throws {
    let library = try library(seed: 7)
    let bytes = [0xEF, 0xBB, 0xBF] + (try export(library))
    #expect(TransferFormat.recognized(Array(bytes.prefix(4096))) == .ndjson)
    let copy = try RandomLibrary()
    let result = try read(bytes, into: copy, pieces: 2)
    #expect(result.isComplete && result.posts.new > 0 && result.unreadable == 0)
  }

  @Test(arguments: PropertyTest.seeds(sample: 6, whole: 400))
  func `an empty library becomes equal to the one that was exported`(seed: UInt64) throws {
    let (library, copy) = (try library(seed: seed), try RandomLibrary())
    let bytes = try export(library)
    let result = try read(bytes, into: copy, from: library.blobs)
    #expect(result.isComplete && result.unreadable == 0 && result.unclaimed == 0, "seed \(seed): \(result)")
    #expect(try differences(library, copy) == [], "seed \(seed)")
    #expect(try findings(copy) == [], "seed \(seed)")
    #expect(try gaps(library) == gaps(copy), "seed \(seed)")
    let (one, other) = (try library.store.stats(), try copy.store.stats())
    #expect(one.posts == other.posts, "seed \(seed)")
    let captions = try [library, copy].map { try $0.store.posts(PostQuery(limit: nil)).map(\.caption) }
    #expect(captions[0] == captions[1], "seed \(seed)")
    let lines = try [bytes, export(copy)].map { bytes in bytes.filter { $0 == 0x0A }.count }
    #expect(lines[0] == lines[1], "seed \(seed)")
  }

  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 200))
  func `importing a library twice, or after an interruption, changes nothing more`(seed: UInt64) throws {
    let (library, copy) = (try library(seed: seed), try RandomLibrary())
    let bytes = try export(library)
    // A kill loses the rest of the file, in the middle of a line.
    try read(Array(bytes.prefix(bytes.count * 2 / 3)), into: copy, from: library.blobs)
    #expect(try findings(copy) == [], "seed \(seed)")
    try read(bytes, into: copy, from: library.blobs)
    #expect(try differences(library, copy) == [], "seed \(seed)")
    let position = try copy.store.changePosition()
    let again = try read(bytes, into: copy, from: library.blobs)
    #expect(again.posts.new == 0 && again.posts.updated == 0 && again.pictures == 0, "seed \(seed): \(again)")
    #expect(try copy.store.changePosition() == position, "seed \(seed)")
    #expect(try findings(copy) == [], "seed \(seed)")
  }

  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 200))
  func `merging two libraries gives the same posts in either order`(seed: UInt64) throws {
    var dice = Dice(state: seed &+ 1000)
    var (one, other) = (try library(seed: seed), try RandomLibrary())
    try read(try export(one), into: other, from: one.blobs)
    try one.live(8, &dice)
    try other.live(8, &dice)
    let (first, second) = (try export(one), try export(other))
    try read(second, into: one, from: other.blobs)
    try read(first, into: other, from: one.blobs)
    #expect(try findings(one) == [] && findings(other) == [], "seed \(seed)")
    let texts = try [one, other].map { library in
      try library.store.posts(PostQuery(limit: nil, deleted: .included)).map {
        "\($0.uri) \($0.title ?? "") \($0.caption) \($0.warning) \($0.isDeleted) \($0.tags)"
      }.sorted()
    }
    #expect(texts[0] == texts[1], "seed \(seed)")
  }

  @Test func `a post's line begins with the keys of the list, and a query exports what its posts need`() throws {
    let library = try library(seed: 7)
    let bytes = try export(library, PostQuery(tag: "cats", limit: 5), raw: false)
    let lines = try bytes.split(separator: 0x0A).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
    let posts = lines.filter { $0["type"] == nil }
    #expect(posts.count == 5 && lines.first?["whole"] as? Bool == false)
    #expect(lines.last?["posts"] as? Int == 5)
    let start = String(
      decoding: bytes.split(separator: 0x0A).first { $0.starts(with: "{\"id\"".utf8) } ?? [], as: UTF8.self)
    let keys = [
      "id", "origin", "source", "server", "remote_id", "url", "author", "created_at", "title", "caption", "tags",
    ]
    let positions = keys.compactMap { start.range(of: "\"\($0)\":")?.lowerBound }
    #expect(positions.count == keys.count && positions == positions.sorted())
    let authors = Set(lines.filter { $0["type"] as? String == "author" }.compactMap { $0["uri"] as? String })
    #expect(posts.allSatisfy { authors.contains(($0["author"] as? [String: Any])?["uri"] as? String ?? "") })
    let copy = try RandomLibrary()
    #expect(try read(bytes, into: copy).posts.new == 5)
    #expect(try copy.store.gaps() == [])
    #expect(try findings(copy) == [])
  }

  @Test func `a damaged line costs no other, and a later version is refused`() throws {
    let (library, copy) = (try library(seed: 3), try RandomLibrary())
    var lines = try export(library).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let posts = lines.filter { $0.hasPrefix("{\"id\"") }.count
    let index = try #require(lines.firstIndex { $0.hasPrefix("{\"id\"") })
    lines[index] = lines[index].replacing("\"created_at\":\"20", with: "\"created_at\":\"2O")
    lines.insert("{\"id\":1,", at: index)
    lines.insert("{\"type\":\"post\"}", at: index)
    let result = try read(Array(lines.joined(separator: "\r\n").utf8), into: copy)
    #expect(result.unreadable == 3 && result.posts.new == posts - 1 && result.isComplete)
    #expect(try findings(copy) == [])
    #expect(throws: NdjsonError.newer(9)) { try read(Array("{\"type\":\"library\",\"version\":9}".utf8), into: copy) }
    #expect(throws: NdjsonError.notALibrary) { try read(Array("{\"id\":1}\n".utf8), into: copy) }
    #expect(throws: NdjsonError.empty) { try read([], into: copy) }
  }

  @Test func `a dry run counts and stores nothing`() throws {
    let (library, copy) = (try library(seed: 5), try RandomLibrary())
    let result = try read(try export(library), into: copy, from: library.blobs, dryRun: true)
    #expect(result.posts.new > 0 && result.unreadable == 0)
    #expect(try copy.store.stats().posts == 0)
    #expect(try copy.blobs.page(after: nil, limit: 10).isEmpty)
  }

  @Test func `without its bytes a picture is pending, and comes with the next import`() throws {
    let (library, copy) = (try library(seed: 11, steps: 40), try RandomLibrary())
    let bytes = try export(library)
    try read(bytes, into: copy)
    #expect(try findings(copy) == [])
    let states = try copy.store.posts(PostQuery(limit: nil)).flatMap(\.attachments).map(\.state)
    #expect(!states.contains(.stored) && states.contains(.pending))
    try read(bytes, into: copy, from: library.blobs)
    #expect(try differences(library, copy) == [])
  }

  @Test func `a hostile line stays without effect`() throws {
    let copy = try RandomLibrary()
    let lines = [
      "{\"type\":\"library\",\"version\":1}",
      "{\"id\":1,\"uri\":\"u\",\"source\":7,\"created_at\":[]}",
      "{\"id\":1,\"uri\":\"u\",\"source\":\"x\",\"created_at\":\"2026-01-01T00:00:00.000Z\",\"caption\":5,\"stored_at\":\"2026-01-01T00:00:00.000Z\",\"updated_at\":\"2026-01-01T00:00:00.000Z\"}",
      "{\"type\":\"feed\",\"name\":\"\"}", "{\"type\":\"feed\",\"name\":\"a\",\"kind\":\"nonsense\"}",
      "{\"type\":\"author\",\"uri\":null}", "{\"type\":\"unreadable\",\"feed\":\"nowhere\"}", "[[[[", "\u{0}",
    ]
    let result = try read(Array(lines.joined(separator: "\n").utf8), into: copy)
    #expect(result.unreadable == lines.count - 1 && !result.isComplete)
    #expect(try copy.store.stats().posts == 0)
    #expect(try findings(copy) == [])
  }
}

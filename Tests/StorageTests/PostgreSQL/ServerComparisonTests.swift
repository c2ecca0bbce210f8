import Blobs
import Folders
import Foundation
import PostgreSQL
import PostgreSQLServer
import PropertyTesting
import StoreContracts
import Testing

@testable import Storage

/// Search by meaning where the server compares, on a real one with pgvector.
@Suite struct ServerComparisonTests {
  private func open(_ address: String, for purpose: Store.Purpose = .writing) throws(StorageError) -> Store {
    try Store.open(address, shownAs: "/l", for: purpose)
  }

  @Test(arguments: ModelsContract.claims)
  func `a store keeps its promises of models where the server compares`(claim: StoreClaim) async throws {
    let address = try PostgreSQLServer.sharedWithVectors().newDatabase()
    let (one, other) = (try open(address), try open(address))
    defer {
      one.close()
      other.close()
    }
    #expect(try one.compareOnServer())
    try await claim.check(NewLibrary(store: one, other: other) { try open(address) })
  }

  @Test(arguments: [EmbeddedPart.pictures, .texts], PropertyTest.seeds(sample: 3, whole: 60))
  func `a search finds the same in the same order, whoever compares, and passes over damaged rows`(
    part: EmbeddedPart, seed: UInt64
  ) throws {
    var dice = Dice(state: seed)
    let store = try open(PostgreSQLServer.sharedWithVectors().newDatabase())
    defer { store.close() }
    let dimensions = [1, 3, 64, 700].randomElement(using: &dice)!
    let model = try store.use(ModelName("a@1", dimensions: dimensions), now: noon)
    let other = try store.use(ModelName("b@1", dimensions: dimensions), now: noon)
    let rows = rows(300 + dice.below(300), [model, other], dimensions, &dice)
    try fill(store, rows)
    let asked = (0..<6).map { _ in (vector(dimensions, &dice), 1 + dice.below(700)) }
    let search = { (store: Store) in
      try asked.map { try store.posts(alike: $0.0, by: model, in: part, of: PostListQuery(), atMost: $0.1) }
    }
    let before = try search(store)
    #expect(before.contains { $0.count > 100 })
    let scratch = try Scratch()
    let inFile = try Store.open(library: scratch.path, now: noon)
    for name in ["a@1", "b@1"] { _ = try inFile.use(ModelName(name, dimensions: dimensions), now: noon) }
    try fill(inFile, rows)
    #expect(try search(inFile) == before)
    inFile.close()
    #expect(try store.compareOnServer())
    #expect(try store.read { try $0.comparesEmbeddings })
    let after = try search(store)
    #expect(after == before)
    #expect(try !store.compareOnServer())
    #expect(try search(store) == after)
  }

  @Test func `two threads that read many blocks find what comparing one by one does`() throws {
    var dice = Dice(state: 7)
    let scratch = try Scratch()
    let store = try Store.open(library: scratch.path, now: noon)
    defer { store.close() }
    let model = try store.use(ModelName("a@1", dimensions: 3), now: noon)
    let rows = (0..<9000).map { _ in vector(3, &dice) }
    try fill(store, rows.map { (model, $0.scale, $0.bytes) })
    let wanted = vector(3, &dice)
    let scores = rows.enumerated().map {
      AlikePost(post: Int64($0 + 1) * 1000, score: Double(Float(wanted.similarity(to: $1)!)))
    }
    let expected = scores.sorted { ($1.score, $0.post) < ($0.score, $1.post) }
    #expect(
      try store.posts(alike: wanted, by: model, in: .texts, of: PostListQuery(), atMost: .max) == expected)
  }

  private func vector(_ dimensions: Int, _ dice: inout Dice) -> Embedding {
    let numbers = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &dice) }
    return Embedding(numbers) ?? Embedding([1])!
  }

  private typealias Vector = (model: Int64, scale: Double, bytes: [UInt8])

  /// Embeddings of models, of which most are those of the first one. Some are damaged.
  private func rows(_ count: Int, _ models: [Int64], _ dimensions: Int, _ dice: inout Dice) -> [Vector] {
    var rows: [Vector] = []
    for _ in 0..<count {
      let sound = vector(dimensions, &dice)
      let isDamaged = dice.below(10) == 0
      let scale = isDamaged ? [0, -1, .infinity, 1e300, 1e-20, sound.scale].randomElement(using: &dice)! : sound.scale
      let bytes = isDamaged ? [[], [7], sound.bytes + [1], sound.bytes].randomElement(using: &dice)! : sound.bytes
      rows.append((models[min(1, dice.below(6) / 5)], scale, bytes))
    }
    return rows
  }

  /// Posts with a picture each, whose picture and text have the embedding of a row.
  private func fill(_ store: Store, _ rows: [Vector]) throws {
    try store.write { db in
      for (index, row) in rows.enumerated() {
        // Far apart, so that two threads read.
        let number = Int64(index + 1) * 1000
        let time = "2025-11-20T12:00:00.000Z"
        let hash = BlobID(hashing: Array("\(number)".utf8)).hex
        try db.run("INSERT INTO blob (id, sha256, bytes, stored_at) VALUES ($1, $2, 1, $3)", [number, hash, time])
        try db.run(
          """
          INSERT INTO post (id, source, uri, created_at, caption, stored_at, updated_at, visibility)
          VALUES ($1, 'mastodon', $2, $3, 'a text', $3, $3, NULL)
          """, [number, "https://social.example/\(number)", time])
        try db.run(
          "INSERT INTO attachment (post, position, kind, blob, state) VALUES ($1, 0, 'image', $1, 'stored')", [number])
        try db.run(
          "INSERT INTO picture_vector (blob, model, scale, vector) VALUES ($1, $2, $3, $4)",
          [number, row.model, row.scale, row.bytes])
        try db.run(
          "INSERT INTO text_vector (post, model, digest, scale, vector) VALUES ($1, $2, 0, $3, $4)",
          [number, row.model, row.scale, row.bytes])
      }
    }
  }

  @Test func `a login that owns the library needs an administrator for the extension, and others for nothing`() throws {
    let address = try PostgreSQLServer.sharedWithVectors().newDatabase()
    let administrator = try PostgreSQLConnection(address)
    let mark = UInt32.random(in: 0...UInt32.max)
    let names = ["owner", "writer", "reader"].map { "\($0)\(mark)" }
    for name in names { try administrator.execute("CREATE ROLE \(name) LOGIN") }
    let database: String = try #require(try administrator.value("SELECT current_database()::text"))
    try administrator.execute("ALTER DATABASE \(database) OWNER TO \(names[0])")
    let logins = names.map { address.replacing("user=media", with: "user=\($0)") }
    let owner = try open(logins[0])
    defer { owner.close() }
    #expect(throws: StorageError.unsuitable(path: "/l", .noVectors)) { try owner.compareOnServer() }
    try administrator.execute("CREATE EXTENSION vector SCHEMA public")
    try owner.run(LibraryGrants(reader: names[2], writer: names[1]))
    let writer = try open(logins[1])
    defer { writer.close() }
    #expect(throws: StorageError.self) { try writer.compareOnServer() }
    #expect(try owner.compareOnServer())
    var dice = Dice(state: 1)
    let model = try writer.use(ModelName("a@1", dimensions: 8), now: noon)
    try fill(writer, rows(20, [model, model], 8, &dice))
    let reader = try open(logins[2], for: .reading)
    defer { reader.close() }
    let wanted = vector(8, &dice)
    let found = try reader.posts(alike: wanted, by: model, in: .pictures, of: PostListQuery(), atMost: 5)
    #expect(found.count == 5 && found.map(\.score) == found.map(\.score).sorted(by: >))
  }

  @Test func `a server without pgvector says so, and the library stays as it was`() throws {
    let store = try open(PostgreSQLServer.shared().newDatabase())
    defer { store.close() }
    let error = #expect(throws: StorageError.unsuitable(path: "/l", .noVectors)) { try store.compareOnServer() }
    #expect(error?.description.hasPrefix("the database of /l has no pgvector 0.7 or newer: install it") == true)
    #expect(try !store.read { try $0.comparesEmbeddings })
  }
}

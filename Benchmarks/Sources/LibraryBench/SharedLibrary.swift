import Foundation
import MediaLibrary

/// Measures a library in PostgreSQL that Benchmarks/shared/posts.sql made.
struct SharedLibrary {
  let address: String

  private static let rounds = 200

  func measure(into table: inout Table) async throws {
    let library = try Library(at: address)
    defer { library.close() }
    let sample = try Sample(of: library)
    table.begin("\(sample.count) posts")
    let windows = Windows(library: library, sample: sample)
    // The first ones read from the disk. Thereafter each window is another one, as well.
    try windows.anywhere("library, the first", in: &table) { _ in PostListQuery() }
    try windows.anywhere("library", in: &table) { _ in PostListQuery() }
    try windows.anywhere("tag", in: &table) { PostListQuery(tag: sample.tags.randomElement(using: &$0)) }
    try windows.anywhere("author", in: &table) { PostListQuery(user: sample.users.randomElement(using: &$0)) }
    let words = Vocabulary(count: 20_000, prefix: "")
    try windows.anywhere("search, a rare word, the first", in: &table) {
      PostListQuery(search: "\(words[Int.random(in: 18_000..<18_200, using: &$0)]) ")
    }
    try windows.anywhere("search, a rare word", in: &table) {
      PostListQuery(search: "\(words[Int.random(in: 18_000..<18_200, using: &$0)]) ")
    }
    try windows.anywhere("search, a common word", in: &table) { _ in PostListQuery(search: "\(sample.words.common) ") }
    let changes = Changes(library: library, location: address, sample: sample, rounds: Self.rounds)
    try await changes.measure(1, "library", PostListQuery(), into: &table)
    try await changes.measure(1, "tag", PostListQuery(tag: Maker.feed.value), into: &table)
    try await changes.measure(1, "search, rare word", PostListQuery(search: "\(sample.words.rare) "), into: &table)
    try Pages(library: library, rounds: 50).measure(into: &table)
    try Takes(address: address).measure(into: &table)
  }
}

/// Measures how many leases a second workers take and give back, each by a connection of its own.
struct Takes {
  let address: String

  private static let workers = 8
  private static let rounds = 1_000
  private static let names = (0..<64).map { "feed-\($0)" }

  func measure(into table: inout Table) throws {
    let libraries = try (0..<Self.workers).map { _ in try Library(at: address) }
    defer { for library in libraries { library.close() } }
    let start = Moment.now
    DispatchQueue.concurrentPerform(iterations: Self.workers) { worker in
      guard let leases = libraries[worker].store.leases else { fatalError("the library has no leases") }
      for round in 0..<Self.rounds {
        // All want the same ones, beginning with another.
        let first = (worker * 8 + round) % Self.names.count
        let wanted = Array(Self.names[first...] + Self.names[..<first]).prefix(8)
        do {
          let taken = try leases.takeLeases(Array(wanted), most: 1, as: "worker \(worker)", lasting: .seconds(60))
          for lease in taken { try leases.releaseLease(lease) }
        } catch { fatalError("\(error)") }
      }
    }
    let seconds = (Moment.now - start) / .seconds(1)
    table.add("leases taken and given back a second, 8 workers", "\(Int(Double(Self.workers * Self.rounds) / seconds))")
  }
}

extension Library {
  /// The library in a folder or at an address. Nobody reads its pictures.
  init(at location: String) throws {
    guard let address = LibraryAddress(location) else {
      try self.init(in: location) { Date() }
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-bench-shared").path
    try self.init(at: address, blobs: DiskBlobs(library: folder), folder: folder) { Date() }
  }

  /// Whether machines share it.
  var isShared: Bool { store.leases != nil }
}

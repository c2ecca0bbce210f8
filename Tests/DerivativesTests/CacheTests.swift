import Blobs
import Folders
import Foundation
import Testing

@testable import Derivatives

@Suite(.timeLimit(.minutes(10))) struct CacheTests {
  private static let nowhere = "/nowhere/media-picture"

  /// Stores derivatives of this many bytes, a minute apart.
  private func fill(_ shop: Shop, _ cache: ThumbnailCache, _ count: Int) throws -> [BlobID] {
    let file = try #require(DerivativeFile(try padded(10_000), size: .small))
    return try (0..<count).map { number in
      let blob = BlobID(hashing: [UInt8(number)])
      try cache.keep(file, blob, .small)
      cache.trimIfNeeded()
      shop.pass(60)
      return blob
    }
  }

  /// A WebP picture with a chunk of no meaning, so that it has a length.
  private func padded(_ count: Int) throws -> [UInt8] {
    var bytes = try Made.webp(8, 6)
    let rest = count - bytes.count - 8
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    bytes += Array("JUNK".utf8) + number(rest) + [UInt8](repeating: 0, count: rest)
    bytes.replaceSubrange(4..<8, with: number(bytes.count - 8))
    return bytes
  }

  @Test func `a derivative is a file of the library that others may read, and is not made twice`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.jpeg(800, 400))
    let made = try await shop.derivatives().file(for: blob, size: .small)
    #expect(Array(try Data(contentsOf: URL(filePath: shop.path(blob, .small)))) == made.bytes)
    #expect(shop.cached == ["320/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2)).webp"])
    #expect(FileManager.default.fileExists(atPath: "\(shop.scratch.path)/cache/CACHEDIR.TAG"))
    #expect(try await shop.derivatives(Self.nowhere).file(for: blob, size: .small) == made)
  }

  @Test func `a file that is cut short, foreign or too large is made anew`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.jpeg(800, 400))
    let derivatives = shop.derivatives()
    let made = try await derivatives.file(for: blob, size: .small)
    let path = shop.path(blob, .small)
    let damages: [[UInt8]] = [
      [], made.bytes.dropLast(), made.bytes + [0], Array("<html>".utf8), try Made.jpeg(8, 8), try Made.webp(400, 3),
      Array(repeating: 0, count: made.byteCount),
    ]
    for bytes in damages {
      try Data(bytes).write(to: URL(filePath: path))
      #expect(try await derivatives.file(for: blob, size: .small) == made)
      #expect(Array(try Data(contentsOf: URL(filePath: path))) == made.bytes)
    }
    for replace in [{ mkfifo(path, 0o600) }, { symlink("/etc/passwd", path) }] {
      unlink(path)
      try #require(replace() == 0)
      #expect(try await derivatives.file(for: blob, size: .small) == made)
    }
  }

  @Test func `beyond its limit the cache evicts what was not used for longest`() throws {
    let shop = try Shop()
    let cache = shop.cache(limit: 100_000)
    let blobs = try fill(shop, cache, 10)
    #expect(shop.cached.count == 10)
    shop.pass(7200)
    #expect(cache.file(blobs[0], .small) != nil)
    let file = try #require(cache.file(blobs[5], .small))
    try cache.keep(file, BlobID(hashing: [99]), .small)
    cache.trimIfNeeded()
    // Down to nine tenths, so that it is not listed for each file.
    #expect(shop.cached.count == 9)
    let kept = blobs.map { cache.holds($0, .small) }
    #expect(kept == [true, false, false] + Array(repeating: true, count: 7))
  }

  @Test func `a cache that grew beside this process is counted`() throws {
    let shop = try Shop()
    _ = try fill(shop, shop.cache(limit: 1_000_000), 30)
    let cache = shop.cache(limit: 100_000)
    cache.trimIfNeeded()
    #expect(shop.cached.count == 9)
    _ = try fill(shop, shop.cache(limit: 1_000_000), 30)
    // After a tenth of the limit it counts again.
    let file = try #require(cache.file(BlobID(hashing: [0]), .small))
    for number in 100..<102 { try cache.keep(file, BlobID(hashing: [UInt8(number)]), .small) }
    cache.trimIfNeeded()
    #expect(shop.cached.count == 9)
  }

  @Test func `reading a file writes to the disk at most once in an hour`() throws {
    let shop = try Shop()
    let cache = shop.cache()
    let blob = try #require(try fill(shop, cache, 1).first)
    let attributes = { try FileManager.default.attributesOfItem(atPath: shop.path(blob, .small)) }
    let first = try attributes()[.modificationDate] as? Date
    shop.pass(3000)
    #expect(cache.file(blob, .small) != nil)
    #expect(try attributes()[.modificationDate] as? Date == first)
    shop.pass(3000)
    #expect(cache.file(blob, .small) != nil)
    #expect(try attributes()[.modificationDate] as? Date == first?.addingTimeInterval(6060))
  }

  @Test func `gc removes the files of blobs that are gone, and old drafts, and nothing else`() throws {
    let shop = try Shop()
    let cache = shop.cache()
    let blobs = try fill(shop, cache, 4)
    let folder = shop.path(blobs[0], .small).split(separator: "/").dropLast().map { "/\($0)" }.joined()
    for name in ["1-1.part", "notes.txt"] { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    let isStored = { (blob: BlobID) in blob != blobs[1] }
    // The draft has the time of the machine, which is later than the test's.
    #expect(cache.collectGarbage(dryRun: true, isStored: isStored).counts == [1, 10_000])
    #expect(shop.cached.count == 6)
    shop.date.withLock { $0 = Date(timeIntervalSinceNow: 3700) }
    #expect(cache.collectGarbage(dryRun: false, isStored: isStored).counts == [2, 10_001])
    #expect(shop.cached.count == 4)
    #expect(shop.cached.contains { $0.hasSuffix("notes.txt") })
  }

  @Test func `two servers on one library make the same files`() async throws {
    let shop = try Shop()
    let blobs = try (1...12).map { try shop.put(try Made.png(400 + $0, 300)) }
    let servers = [shop.derivatives(), shop.derivatives()]
    await withTaskGroup(of: Void.self) { group in
      for blob in blobs {
        for server in servers { group.addTask { _ = await server.result(blob) } }
      }
    }
    #expect(shop.cached.count == 12)
    for blob in blobs { #expect(try await shop.derivatives(Self.nowhere).seen(blob).width == 320) }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `on a full disk derivatives are made all the same, with one notice`() async throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    let shop = try Shop(disk.scratch)
    let blobs = try (1...4).map { try shop.put(try Made.jpeg(700 + $0, 500)) }
    let derivatives = shop.derivatives()
    try disk.fill(leaving: 0)
    for blob in blobs[..<3] { #expect(try await derivatives.seen(blob).quarters == Colour.quarters) }
    #expect(shop.cached.isEmpty)
    let path = disk.scratch.path
    #expect(
      shop.notices.withLock { $0 }
        == ["Small pictures are made anew each time: \(path)/cache is on a full disk."])
    try disk.empty()
    _ = try await derivatives.file(for: blobs[3], size: .small)
    #expect(shop.cached.count == 1)
    try disk.makeReadOnly()
    _ = try await derivatives.file(for: blobs[0], size: .small)
    #expect(
      shop.notices.withLock { $0.last } == "Small pictures are made anew each time: \(path)/cache is not writable.")
  }
}

extension ThumbnailCache.Removed {
  fileprivate var counts: [Int] { [files, bytes] }
}

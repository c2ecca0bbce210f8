import Foundation
import PropertyTesting
import Terminal
import Testing

@testable import Pictures

struct CacheTests {
  private func request(_ number: Int) -> PictureRequest { .blocks("/\(number)") }
  private func picture(_ bytes: Int) -> DrawnPicture {
    DrawnPicture(columns: 1, rows: 1, bytes: Array(repeating: 65, count: bytes))
  }

  @Test func `bytes never exceed the limit, and the least recently used picture is evicted first`() {
    var cache = DecodedPictureCache(limit: 10_000)
    for number in 0..<9 {
      cache.keep(picture(800), for: request(number))
      #expect(cache.byteCount <= 10_000)
    }
    #expect(cache.count == 9)
    #expect(cache.picture(for: request(0)) != nil)
    cache.keep(picture(800), for: request(9))
    #expect(cache.picture(for: request(0)) != nil)
    #expect(cache.picture(for: request(1)) == nil)
    cache.keep(picture(9_000), for: request(10))
    #expect(cache.count == 1)
    #expect(cache.picture(for: request(10)) == picture(9_000))
  }

  @Test func `a picture larger than the limit is not cached, and evicts none`() {
    var cache = DecodedPictureCache(limit: 5_000)
    cache.keep(picture(100), for: request(1))
    cache.keep(picture(5_000), for: request(2))
    #expect(cache.picture(for: request(2)) == nil)
    #expect(cache.picture(for: request(1)) != nil)
  }

  @Test func `the same picture twice counts once`() {
    var cache = DecodedPictureCache(limit: 5_000)
    for _ in 0..<100 { cache.keep(picture(1_000), for: request(1)) }
    #expect(cache.count == 1)
    #expect(cache.byteCount < 1_500)
  }

  @Test func `tiny pictures are not free`() {
    var cache = DecodedPictureCache(limit: 5_000)
    for number in 0..<1_000 { cache.keep(picture(1), for: request(number)) }
    #expect(cache.count < 20)
    #expect(cache.picture(for: request(999)) != nil)
  }

  @Test func `pixels count by their decoded size, however well they are compressed`() {
    let cell = CellSize(width: 10, height: 20)
    let request = { (number: Int) in PictureRequest(path: "/\(number)", columns: 4, rows: 2, cell: cell, format: .kitty)
    }
    var cache = DecodedPictureCache(limit: 4 * 40 * 40 * 2 + 1_000)
    for number in 0..<3 { cache.keep(DrawnPicture(columns: 4, rows: 2, bytes: [65]), for: request(number)) }
    #expect(cache.count == 2)
    #expect(cache.byteCount > 4 * 40 * 40 * 2)
    // A picture larger than its decoded size counts by its bytes.
    cache.keep(DrawnPicture(columns: 4, rows: 2, bytes: Array(repeating: 65, count: 13_000)), for: request(3))
    #expect(cache.count == 1)
  }

  @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 100_000])
  func `a picture in a file is the same picture`(count: Int) throws {
    var dice = Dice(state: UInt64(count))
    let file = try #require(DecodedPictureFile(folder: NSTemporaryDirectory()))
    let pictures = (0..<3).map { _ in
      DrawnPicture(columns: 3, rows: 2, bytes: (0..<count).map { _ in .random(in: 0...255, using: &dice) })
    }
    var cache = DecodedPictureCache(limit: 1_000_000, on: file)
    for (number, picture) in pictures.enumerated() { cache.keep(picture, for: request(number)) }
    for (number, picture) in pictures.enumerated() { #expect(cache.picture(for: request(number)) == picture) }
  }

  @Test func `the blocks of an evicted picture are used again`() throws {
    let file = try #require(DecodedPictureFile(folder: NSTemporaryDirectory()))
    var cache = DecodedPictureCache(limit: 200_000, on: file)
    for number in 0..<100 {
      cache.keep(picture(50_000 + number), for: request(number))
      for older in max(0, number - 2)...number {
        #expect(cache.picture(for: request(older)) == picture(50_000 + older))
      }
    }
    // Three pictures, and the new one, which is written before the oldest is evicted.
    #expect(file.byteCount <= 4 * 65_536)
  }

  @Test func `without a folder there is no file`() { #expect(DecodedPictureFile(folder: "/nowhere") == nil) }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk takes root"))
  func `if the disk is full, a picture stays in memory`() throws {
    let folder = NSTemporaryDirectory() + "cache-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(mount("tmpfs", folder, "tmpfs", 0, "size=65536") == 0)
    defer { _ = umount2(folder, Int32(MNT_DETACH)) }
    let file = try #require(DecodedPictureFile(folder: folder))
    var cache = DecodedPictureCache(limit: 1_000_000, on: file)
    for number in 0..<4 { cache.keep(picture(30_000 + number), for: request(number)) }
    #expect(file.byteCount <= 65_536)
    for number in 0..<4 { #expect(cache.picture(for: request(number)) == picture(30_000 + number)) }
  }

  @Test func `a picture that is used a thousand times stays cached, others do not`() {
    var cache = DecodedPictureCache(limit: 3_000)
    cache.keep(picture(800), for: request(0))
    for number in 1..<1_000 {
      #expect(cache.picture(for: request(0)) != nil)
      cache.keep(picture(800), for: request(number))
    }
    #expect(cache.picture(for: request(0)) != nil)
    #expect(cache.count == 2)
  }
}

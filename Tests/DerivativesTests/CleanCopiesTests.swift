import Blobs
import Foundation
import Testing

@testable import Derivatives

/// Files as they are published, cleaned by the built `media-picture` and kept in the cache.
@Suite(.timeLimit(.minutes(5))) struct CleanCopiesTests {
  private static let tags = ["set Exif.GPSInfo.GPSLatitude 48/1 8/1 0/1", "set Exif.Image.Artist Anna"]

  private func bytes(_ copy: CleanCopy) -> [UInt8] { copy.bytes(0..<copy.byteCount) }

  private func placed() throws -> [UInt8] {
    let tagged = try Tagged()
    return Array(try Data(contentsOf: URL(filePath: try tagged.put("jpg", Self.tags))))
  }

  /// What exiv2 prints of bytes.
  private func printed(_ bytes: [UInt8]) throws -> String {
    let tagged = try Tagged()
    return try Tagged.printed(try tagged.put(bytes: bytes, "copy.jpg"))
  }

  @Test func `a copy is made once, and another process finds it`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try placed())
    let derivatives = shop.derivatives()
    let copy = try #require(try await derivatives.cleanCopies.copy(of: blob, "image/jpeg"))
    let facts = try printed(bytes(copy))
    #expect(facts.contains("Anna") && !facts.contains("GPS"), "\(facts)")
    let file = "clean-1/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2)).clean"
    #expect(shop.cached == [file])
    let program = try shop.script(":", greeting: "media-picture strip 1")
    let again = try #require(try await shop.derivatives(program).cleanCopies.copy(of: blob, "image/jpeg"))
    #expect(bytes(again) == bytes(copy) && shop.asked.isEmpty)
    // What nobody has any more goes with the small pictures.
    #expect(shop.cache().collectGarbage(dryRun: false) { $0 != blob }.files == 1)
    #expect(shop.cached == [] && bytes(again) == bytes(copy))
  }

  @Test func `a file that has nothing to take out is its own copy, and documents are not looked at`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.png(40, 30))
    #expect(try await shop.derivatives().cleanCopies.copy(of: blob, "image/png") == nil)
    #expect(shop.cached == [])
    let broken = shop.derivatives("/nowhere/media-picture")
    for type in ["image/svg+xml", "application/pdf", nil] {
      #expect(try await broken.cleanCopies.copy(of: blob, type) == nil)
    }
    await #expect(throws: StrippingError.unavailable("/nowhere/media-picture cannot be started")) {
      try await broken.cleanCopies.copy(of: blob, "image/png")
    }
  }

  @Test func `a file that cannot be cleaned is not tried again for an hour`() async throws {
    let shop = try Shop()
    let blob = try shop.put([1, 2, 3])
    let program = try shop.script(
      #"echo "{\"id\":$id,\"isWritten\":false,\"failure\":\"it is odd\"}""#, greeting: "media-picture strip 1")
    let copies = shop.derivatives(program).cleanCopies
    for _ in 0..<2 {
      await #expect(throws: StrippingError.refused("it is odd")) { try await copies.copy(of: blob, "image/jpeg") }
    }
    #expect(shop.asked.count == 1)
    shop.pass(3601)
    await #expect(throws: StrippingError.refused("it is odd")) { try await copies.copy(of: blob, "image/jpeg") }
    #expect(shop.asked.count == 2)
  }

  @Test func `what a power cut left of a copy is no copy`() async throws {
    let shop = try Shop()
    let blob = try shop.put(try placed())
    let folder = "\(shop.scratch.path)/cache/thumb/clean-1/\(blob.hex.prefix(2))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: "\(folder)/\(blob.hex.dropFirst(2)).clean"))
    let copies = shop.derivatives().cleanCopies
    let copy = try #require(try await copies.copy(of: blob, "image/jpeg"))
    #expect(copy.byteCount > 0)
    #expect(!(try printed(bytes(copy))).contains("GPS"))
    #expect(try await copies.copy(of: blob, "image/jpeg")?.byteCount == copy.byteCount)
  }

  @Test func `a copy that the cache cannot have is made all the same, and leaves nothing`() async throws {
    let placed = try placed()
    for limit in [ThumbnailCache.standardLimit, 8 * placed.count / 2] {
      let shop = try Shop()
      let isBlocked = limit == ThumbnailCache.standardLimit
      if isBlocked { try Data().write(to: URL(filePath: "\(shop.scratch.path)/cache")) }
      let blob = try shop.put(placed)
      let derivatives = shop.derivatives(limit: limit)
      let copy = try #require(try await derivatives.cleanCopies.copy(of: blob, "image/jpeg"))
      #expect(!(try printed(bytes(copy))).contains("GPS"))
      #expect(shop.cached == [])
      // A player asks for the next part.
      #expect(try await derivatives.cleanCopies.copy(of: blob, "image/jpeg") === copy)
    }
  }
}

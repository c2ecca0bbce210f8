import Blobs
import Foundation
import MemoryBlobs
import Testing

@testable import Derivatives

/// The real `media-picture` with hostile files.
@Suite(.timeLimit(.minutes(20))) struct HostileTests {
  @Test func `a file that is not a picture is refused, and the same child makes the next derivative`() async throws {
    let shop = try Shop()
    let jpeg = try Made.jpeg(64, 48)
    let cases: [(name: String, bytes: [UInt8], reason: String)] = [
      ("page.jpg", Array("<!doctype html><html><body>no</body></html>".utf8), "it is text/html, which is not drawn"),
      (
        "drawing.svg", Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8),
        "it is image/svg+xml, which is not drawn"
      ),
      ("text", Array("no picture at all".utf8), "it is text"),
      ("paper", Array("%PDF-1.7 1 0 obj".utf8), "it is a PDF document"),
      ("noise", [0, 1, 0xAB], "it is of an unknown kind, which begins with 00 01 AB"),
      ("cut.jpg", Array(jpeg[..<(jpeg.count / 2)]), "the picture is damaged: its end is missing"),
      ("cut.mp4", try Fixture.bytes("upright.mp4").dropLast(40), "the picture is damaged: its end is missing"),
      ("bomb.png", try Made.png(announcing: 50_000, 50_000), "the picture is too large: 50000 × 50000 pixels"),
      ("lies.png", try Made.png(announcing: 4, 900), "the picture is damaged: rows are missing"),
    ]
    let derivatives = shop.derivatives()
    _ = try await derivatives.file(for: try shop.put(jpeg), size: .small)
    let process = try #require(derivatives.processes.first)
    for (name, bytes, reason) in cases {
      #expect(await derivatives.result(try shop.put(bytes)) == .failure(.undecodable(reason)), "\(name)")
    }
    _ = try await derivatives.file(for: try shop.put(try Made.png(9, 9)), size: .small)
    #expect(derivatives.processes == [process])
    #expect(
      DerivativeError.undecodable("it is text").message == "This picture cannot be shown: it is text."
    )
  }

  @Test func `damage at any offset never ends the child`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    _ = try await derivatives.file(for: try shop.put(try Made.png(9, 9)), size: .small)
    let process = derivatives.processes
    var made = 0
    let files = [
      try Made.jpeg(40, 30, profile: Made.profile(space: "RGB ", text: "P3")), try Made.png(12, 9),
      try Made.webp(40, 30), try Fixture.bytes("moving.gif"),
    ]
    for whole in files {
      for offset in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
        var bytes = whole
        bytes[offset] ^= 0x5A
        if case .success = await derivatives.result(try shop.put(bytes)) { made += 1 }
        #expect(derivatives.processes == process)
      }
    }
    #expect(made > 0)
  }

  @Test func `a blob that is not stored is missing`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    #expect(await derivatives.result(BlobID(hashing: [1])) == .failure(.missing))
    #expect(derivatives.processes.isEmpty)
    // It may arrive a moment later.
    let blob = try shop.put(try Made.png(9, 9))
    #expect(try await derivatives.seen(blob).size == [9, 9])
  }

  @Test func `a library that is moved away costs its pictures no hour`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    let blob = try shop.put(try Made.png(9, 9))
    let blobs = "\(shop.scratch.path)/blobs"
    #expect(rename(blobs, "\(blobs)-away") == 0)
    #expect(await derivatives.result(blob) == .failure(.missing))
    #expect(rename("\(blobs)-away", blobs) == 0)
    #expect(try await derivatives.seen(blob).size == [9, 9])
  }

  @Test func `a store without files is read through a copy that goes`() async throws {
    let blobs = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    let shop = try Shop(blobs: blobs)
    let blob = try shop.put(try Made.jpeg(800, 400))
    #expect(try await shop.derivatives().seen(blob).quarters == Colour.quarters)
  }
}

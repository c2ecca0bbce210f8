import Foundation
import Terminal
import Testing

@testable import Pictures

/// The real `media-picture` with hostile files.
@Suite(.timeLimit(.minutes(10))) struct HostilePictureTests {
  /// A PNG whose header announces a size, and which contains four rows.
  private static func announcing(_ width: UInt32, _ height: UInt32) throws -> [UInt8] {
    var bytes = try Made.png(4, 4)
    for (offset, value) in [(16, width), (20, height)] {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(byte))) }
    }
    let sum = bytes[12..<29].reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    for byte in 0..<4 { bytes[29 + byte] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * UInt32(byte))) }
    return bytes
  }

  @Test func `a file that is not a picture is refused with a reason, and the same child draws the next picture`()
    async throws
  {
    let album = try Album()
    let jpeg = try Made.jpeg(64, 48)
    let cases: [(name: String, bytes: [UInt8], message: String)] = [
      ("empty.jpg", [], "the file is empty"),
      ("page.jpg", Array("<!doctype html><html><body>no</body></html>".utf8), "it is text/html, which is not drawn"),
      (
        "drawing.svg", Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8),
        "it is image/svg+xml, which is not drawn"
      ),
      ("text.png", Array("no picture at all".utf8), "it is text"),
      ("cut.jpg", Array(jpeg[..<(jpeg.count / 2)]), "the picture is damaged: its end is missing"),
      ("cut.webp", try Array(Made.webp(64, 48).dropLast(9)), "the picture is damaged: its end is missing"),
      ("wide.png", try Self.announcing(30_001, 1), "the picture is too large: 30001 × 1 pixels"),
      ("large.png", try Self.announcing(20_000, 20_000), "the picture is too large: 20000 × 20000 pixels"),
      ("flat.png", try Self.announcing(0, 4), "the picture is damaged: it has no area"),
      ("lies.png", try Self.announcing(4, 900), "the picture is damaged: rows are missing"),
    ]
    let drawer = PictureDrawer()
    for (name, bytes, message) in cases {
      let path = try album.put(bytes, as: name)
      let result = await drawer.result(.blocks(path))
      #expect(result == .failure(.refused(message)), "\(name)")
    }
    let process = try #require(drawer.process)
    _ = try await drawer.draw(.blocks(try album.put(jpeg, as: "good.jpg")))
    #expect(drawer.process == process)
  }

  @Test func `a pipe, a folder and a missing file block nothing`() async throws {
    let album = try Album()
    let pipe = "\(album.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let drawer = PictureDrawer()
    for path in [pipe, album.path, "/dev/zero"] {
      #expect(await drawer.result(.blocks(path)) == .failure(.refused("it is not a regular file")), "\(path)")
    }
    let missing = await drawer.result(.blocks("\(album.path)/missing"))
    #expect(missing == .failure(.refused("the file cannot be opened: No such file or directory")))
  }

  @Test func `damage at any offset never ends the child`() async throws {
    let album = try Album()
    let drawer = PictureDrawer()
    var drawn = 0
    for (kind, whole) in [
      ("jpg", try Made.jpeg(40, 30)), ("png", try Made.png(12, 9)), ("webp", try Made.webp(40, 30)),
    ] {
      for offset in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
        var bytes = whole
        bytes[offset] ^= 0x5A
        let path = try album.put(bytes, as: "\(offset).\(kind)")
        switch await drawer.result(.blocks(path)) {
        case .success: drawn += 1
        case .failure(.refused): break
        case .failure(let failure): Issue.record("\(offset).\(kind): \(failure.message)")
        }
      }
    }
    #expect(drawn > 0)
  }

  @Test(arguments: [(0, 4), (4, 501), (501, 4), (-1, 4), (.max, .max)])
  func `a size that no terminal has is refused`(columns: Int, rows: Int) async throws {
    let album = try Album()
    let path = try album.put(try Made.png(4, 4), as: "a.png")
    #expect(
      await PictureDrawer().result(.blocks(path, columns, rows)) == .failure(.refused("no terminal has such room")))
  }
}

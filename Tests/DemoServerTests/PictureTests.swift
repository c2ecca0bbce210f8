import Foundation
import Testing

@testable import DemoServer

@Suite struct PictureTests {
  @Test(arguments: Topic.allCases)
  func `the same name draws the same bytes`(topic: Topic) throws {
    let subject = Subject.art(Art(topic: topic, seed: 99, format: .jpeg), .preview)
    #expect(try subject.draw().bytes == subject.draw().bytes)
  }

  @Test(arguments: PictureFormat.allCases)
  func `a picture has the format and the size that its post states`(format: PictureFormat) async throws {
    try await withDemo { client in
      let art = Art(topic: .sea, seed: 5, format: format)
      let answer = try await client.get("/media/1/original/\(art.name)")
      #expect(answer.status == 200)
      #expect(answer["content-type"] == format.contentType)
      #expect(answer["content-length"] == String(answer.data.count))
      let size = try #require(PictureHead(answer.data))
      #expect(size.format == format)
      #expect(size.width == art.size.width && size.height == art.size.height)
    }
  }

  @Test func `every picture name is read back and nothing else is`() {
    for topic in Topic.allCases {
      for format in PictureFormat.allCases {
        let art = Art(topic: topic, seed: .max, format: format)
        #expect(Art(name: art.name) == art)
      }
    }
    for name in ["", "cats", "cats-1", "cats-1.gif", "dogs-1.jpg", "cats-.jpg", "cats-12345678901234567.jpg", "-1.jpg"]
    {
      #expect(Art(name: name) == nil, "\(name)")
    }
  }

  @Test func `two posts may show the same bytes at two addresses`() async throws {
    try await withDemo { client in
      let name = Art(topic: .cats, seed: 3, format: .png).name
      let one = try await client.get("/media/1/small/\(name)")
      let two = try await client.get("/media/2/small/\(name)")
      #expect(one.data == two.data && one["etag"] == two["etag"])
      let again = try await client.get("/media/1/small/\(name)", headers: ["If-None-Match": try #require(one["etag"])])
      #expect(again.status == 304)
    }
  }

  @Test func `a picture can be had in parts, and its head alone`() async throws {
    try await withDemo { client in
      let whole = try await client.get("/avatars/1001.png")
      let count = whole.data.count
      let part = try await client.get("/avatars/1001.png", headers: ["Range": "bytes=10-19"])
      #expect(part.status == 206)
      #expect(part["content-range"] == "bytes 10-19/\(count)")
      #expect(part.data == whole.data[10..<20])
      let beyond = try await client.get("/avatars/1001.png", headers: ["Range": "bytes=\(count)-"])
      #expect(beyond.status == 416)
      let head = try await client.get("/avatars/1001.png", method: "HEAD")
      #expect(head.status == 200 && head.data.isEmpty && head["content-length"] == String(count))
    }
  }

  @Test func `a range is read as HTTP means it`() {
    #expect(ByteRange("bytes=0-0", of: 10) == .part(0..<1))
    #expect(ByteRange("bytes=5-", of: 10) == .part(5..<10))
    #expect(ByteRange("bytes=-3", of: 10) == .part(7..<10))
    #expect(ByteRange("bytes=-30", of: 10) == .part(0..<10))
    #expect(ByteRange("bytes=2-9223372036854775807", of: 10) == .part(2..<10))
    #expect(ByteRange("bytes=10-", of: 10) == .outside)
    #expect(ByteRange("bytes=-0", of: 10) == .outside)
    for odd in ["bytes=3-2", "bytes=a-b", "bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=--1"] {
      #expect(ByteRange(odd, of: 10) == nil, "\(odd)")
    }
  }

  @Test func `no two portraits are alike`() throws {
    let portraits = try Person.everyone.map { try Subject.avatar($0.avatar.index).draw().bytes }
    #expect(Set(portraits).count == portraits.count)
  }

  @Test func `the emoji is see-through around the cat and solid in it`() {
    let canvas = Emoji.draw()
    #expect(canvas.pixels[0] >> 24 == 0)
    #expect(canvas.pixels[40 * 64 + 12] >> 24 == 255)
  }

  @Test func `half a pixel covered is half the colour`() {
    let canvas = Canvas(width: 4, height: 4)
    canvas.fill(.rectangle(x: 0.125, y: 0, width: 0.5, height: 0.5), .colour(.white))
    let row = (0..<4).map { canvas.pixels[$0] & 255 }
    #expect(row == [127, 255, 127, 0])
    #expect(canvas.pixels[2 * 4 + 1] & 255 == 0)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a shape covers its area wherever it lies, also across the edges`(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<6 {
      let canvas = Canvas(width: 64, height: 64)
      let corners = (0..<3).map { _ in Point(dice.between(-0.3, 1.3), dice.between(-0.3, 1.3)) }
      canvas.fill(Path(corners), .colour(.white))
      let drawn = (0..<64 * 64).reduce(0) { $0 + Int(canvas.pixels[$1] & 255) }
      var inside = 0
      for step in 0..<128 * 128 {
        let point = Point(Float(step % 128) + 0.5, Float(step / 128) + 0.5) / 128
        if contains(corners, point) { inside += 1 }
      }
      #expect(abs(Double(drawn) / (255 * 64 * 64) - Double(inside) / (128 * 128)) < 0.01, "seed \(seed)")
    }
  }

  private func contains(_ corners: [Point], _ point: Point) -> Bool {
    let sides = (0..<3).map { index in
      let (from, to) = (corners[index], corners[(index + 1) % 3])
      return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }
    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
  }
}

/// What the first bytes of a picture say.
private struct PictureHead {
  let format: PictureFormat
  let width: Int
  let height: Int

  init?(_ data: Data) {
    let bytes = [UInt8](data)
    let big = { (at: Int) in Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      (format, width, height) = (.png, big(18), big(22))
    } else if bytes.starts(with: Array("RIFF".utf8)), Array(bytes[8..<16]) == Array("WEBPVP8 ".utf8) {
      let little = { (at: Int) in (Int(bytes[at]) | Int(bytes[at + 1]) << 8) & 0x3fff }
      (format, width, height) = (.webp, little(26), little(28))
    } else if bytes.starts(with: [0xff, 0xd8]) {
      var offset = 2
      while bytes[offset + 1] != 0xc0 && bytes[offset + 1] != 0xc2 { offset += 2 + big(offset + 2) }
      (format, width, height) = (.jpeg, big(offset + 7), big(offset + 5))
    } else {
      return nil
    }
  }
}

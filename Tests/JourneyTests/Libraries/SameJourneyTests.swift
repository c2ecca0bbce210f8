import Foundation
import Testing

/// The same picture in several posts: looked at, shown, judged.
@Suite(.timeLimit(.minutes(10))) struct SameJourneyTests {
  /// A picture of hills as an uncompressed bitmap.
  static func bitmap(_ width: Int, _ height: Int, seed: Double = 1) -> Data {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let padding = [UInt8](repeating: 0, count: (4 - 3 * width % 4) % 4)
    let rows = (0..<height).flatMap { y in
      (0..<width).flatMap { x -> [UInt8] in
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        let shade = UInt8(127 + 60 * sin(7 * u * seed + 2 * v) + 60 * cos(9 * v - 3 * u * seed))
        return [shade, shade, shade]
      } + padding
    }
    let head =
      Array("BM".utf8) + number(54 + rows.count, 4) + number(0, 4) + number(54, 4) + number(40, 4) + number(width, 4)
      + number(height, 4) + number(1, 2) + number(24, 2) + number(0, 24)
    return Data(head + rows)
  }

  private func filled() async throws -> Sandbox {
    let sandbox = try Sandbox()
    let pictures = [
      Self.bitmap(300, 200), Self.bitmap(600, 400), Self.bitmap(300, 200, seed: 2), Self.bitmap(150, 100),
    ]
    for (index, picture) in pictures.enumerated() {
      let path = "\(sandbox.folder)/\(index).bmp"
      try picture.write(to: URL(filePath: path))
      let time = "2026-01-0\(index + 1) 12:00"
      let added = try await sandbox.media("add", "post \(index)", "--attach", path, "--at", time)
      try #require(added.status == 0, "\(added.errors)")
    }
    return sandbox
  }

  @Test func `posts with one picture are found once they were looked at, and a verdict lasts`() async throws {
    let sandbox = try await filled()
    let before = try await sandbox.media("same")
    #expect(before.output.isEmpty && before.errors.contains("No two posts have the same picture."))
    #expect(before.errors.contains("\"media look\" does so"))
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0 && looked.errors.contains("4 files looked at."), "\(looked.errors)")
    #expect(try await sandbox.media("look", "--json").output == "{\"failed\":0,\"files\":0,\"read\":0}\n")
    let lines = try await sandbox.media("same").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[1].contains("first") && lines[2].contains("600 × 400"), "\(lines)")
    #expect(lines[2].contains("largest") && !lines[3].contains("first"))
    let json = try await sandbox.media("same", "--json").output
    #expect(json.contains("\"posts\":3") && json.contains("\"largest\":true"))
    #expect(try await sandbox.media("same", "post", "2").output.isEmpty)
    #expect(try await sandbox.numbers("is:copy") == [4, 2])
    #expect(try await sandbox.numbers("like:1") == [4, 2, 1])
    let judged = try await sandbox.media("same", "--different", "1", "4.1")
    #expect(judged.status == 0 && judged.errors.contains("Noted."), "\(judged.errors)")
    let repeated = try await sandbox.media("same", "--different", "4", "1", "--json")
    #expect(repeated.status == 0 && repeated.output == "{\"changed\":0}\n")
    #expect(try await sandbox.media("look", "--again", "--only", "hash").errors.contains("4 files looked at."))
    #expect(try await sandbox.numbers("is:copy") == [2])
    try await sandbox.media("same", "--same", "1", "3")
    #expect(try await sandbox.numbers("is:copy") == [3, 2])
    #expect(try await sandbox.media("stats", "--json").output.contains("\"inspected\":4"))
    #expect(try await sandbox.media("stats").output.contains("4 of 4"))
    #expect(try await sandbox.media("doctor").output.contains("4 of 4 files were looked at"))
  }

  @Test func `copies of a video are found in every format, and what it is made of is shown`() async throws {
    let sandbox = try Sandbox()
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let names = ["film.mp4", "film-small.webm", "film.gif", "film-of-gif.mp4", "film-other.mp4"]
    for (index, name) in names.enumerated() {
      let path = tests.appending(path: "DerivativesTests/Fixtures/\(name)").path
      let added = try await sandbox.media("add", name, "--attach", path, "--at", "2026-01-0\(index + 1) 12:00")
      try #require(added.status == 0, "\(added.errors)")
    }
    let looked = try await sandbox.media("look")
    #expect(looked.status == 0 && looked.errors.contains("5 files looked at."), "\(looked.errors)")
    #expect(try await sandbox.media("look", "--json").output == "{\"failed\":0,\"files\":0,\"read\":0}\n")
    #expect(try await sandbox.numbers("is:copy") == [4, 2])
    let pairs = try await sandbox.media("same", "--json").output.split(separator: "\n")
    #expect(pairs.count == 2 && pairs.allSatisfy { $0.contains("\"posts\":2") })
    let shown = try await sandbox.media("show", "1").output
    #expect(shown.contains("0:06, h264, aac"), "\(shown)")
    #expect(try await sandbox.media("show", "5").output.contains("0:06, h264, no sound"))
    let json = try await sandbox.media("show", "1", "--json").output
    #expect(json.contains("\"codecs\":[\"h264\",\"aac\"]") && json.contains("\"sound\":true"), "\(json)")
    #expect(json.contains("\"duration\":6000"))
    #expect(try await sandbox.media("list", "duration:>5s", "like:1").output.contains("film-small.webm"))
  }

  @Test func `a program that cannot start is told with a cure, and no file counts as looked at`() async throws {
    let sandbox = try await filled()
    let broken = "\(sandbox.folder)/broken"
    _ = try await sandbox.bash(
      """
      mkdir '\(broken)' && cp "$MEDIA" '\(broken)/media' && printf '#!/bin/sh\nexit 1\n' >'\(broken)/media-picture'
      chmod +x '\(broken)/media-picture'
      """)
    expect(
      try await sandbox.bash("'\(broken)/media' look"), fails: 64,
      saying: "files cannot be looked at", "\"media doctor\" says what is missing")
    expect(
      try await sandbox.bash("'\(broken)/media' export --format html --private --out '\(sandbox.folder)/site'"),
      fails: 64, saying: "places cannot be taken out of files", "--no-strip-location writes files as they are")
    #expect(try await sandbox.media("look").errors.contains("4 files looked at."))
  }

  @Test func `what makes no sense is refused`() async throws {
    let sandbox = try await filled()
    expect(try await sandbox.media("same", "--near", "9"), fails: 64, saying: "--near 9 is not from 0 to 8")
    expect(try await sandbox.media("same", "--same", "1"), fails: 64, saying: "a verdict is about two posts")
    expect(try await sandbox.media("same", "--same", "1", "x"), fails: 64, saying: "\"x\" is no number of a post")
    expect(try await sandbox.media("same", "--same", "--different", "1", "2"), fails: 64, saying: "exclude each other")
    expect(try await sandbox.media("same", "--same", "1", "99"), fails: 64, saying: "99")
    expect(try await sandbox.media("same", "--same", "1", "2.7"), fails: 64, saying: "post 2 has no attachment 7")
    expect(try await sandbox.media("same", "--limit", "0"), fails: 64, saying: "--limit 0 shows nothing")
    expect(try await sandbox.media("look", "--only", "smell"), fails: 64, saying: "it knows hash, facts")
    expect(try await sandbox.media("list", "like:x"), fails: 64, saying: "write it as like:123")
    expect(
      try await sandbox.media("list", "near:91,0"), fails: 64, saying: "degrees north, degrees east and a distance")
  }
}

extension Sandbox {
  /// The ids that a filter lists.
  fileprivate func numbers(_ filter: String) async throws -> [Int64] {
    let output = try await media("list", filter, "--json").output
    return output.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["id"] as? NSNumber)?.int64Value
    }
  }
}

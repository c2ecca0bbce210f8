import Foundation
import Testing

/// Where pictures were taken, on the way into what is published.
@Suite(.timeLimit(.minutes(10))) struct PublishedPlaceTests {
  /// A grey picture as JPEG.
  private static let jpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L"
    + "2u71////m8H////6/+b9//j/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAv/EABQQAQAAAAAAAAAAAAAAAAAA"
    + "AAD/2gAIAQEAAD8AL//Z"

  @Test func `a site has pictures without the place where they were taken, unless that is asked for`() async throws {
    let sandbox = try Sandbox()
    let path = "\(sandbox.folder)/a.jpg"
    try #require(Data(base64Encoded: Self.jpeg)).write(to: URL(filePath: path))
    let tags = [
      "Exif.GPSInfo.GPSLatitude 48/1 8/1 0/1", "Exif.GPSInfo.GPSLatitudeRef N",
      "Exif.GPSInfo.GPSLongitude 11/1 34/1 0/1", "Exif.GPSInfo.GPSLongitudeRef E", "Exif.Image.Artist Anna",
    ]
    let tagged = try await sandbox.bash("exiv2 \(tags.map { "-M'set \($0)'" }.joined(separator: " ")) '\(path)'")
    try #require(tagged.status == 0, "\(tagged.errors)")
    try Data("words".utf8).write(to: URL(filePath: "\(sandbox.folder)/b.txt"))
    let added = try await sandbox.media("add", "by the river", "--attach", path, "--attach", "\(sandbox.folder)/b.txt")
    try #require(added.status == 0, "\(added.errors)")
    try await sandbox.media("look")
    #expect(try await sandbox.media("show", "1").output.contains("at 48.133° N 11.567° E near Munich, DE, by Anna"))
    #expect(try await sandbox.media("list", "--json").output.contains("48.13") == false)
    let site = "\(sandbox.folder)/site"
    let export = ["export", "--format", "html", "--private", "--out", site]
    func facts() async throws -> String { try await sandbox.bash("exiv2 -pa '\(site)'/media/*/*.jpg").output }
    // As an earlier version wrote it.
    _ = try await sandbox.run(export + ["--no-strip-location"])
    #expect(try await facts().contains("GPSLatitude"))
    let stripped = try await sandbox.run(export)
    #expect(stripped.status == 0 && !stripped.errors.contains("left out"), "\(stripped.errors)")
    let kept = try await facts()
    #expect(kept.contains("Anna") && !kept.contains("GPS"), "\(kept)")
    let others = try await sandbox.bash("ls -A '\(site)' | grep clean; grep -rlx words '\(site)/media' | wc -l")
    #expect(others.output == "1\n")
    #expect(try await sandbox.run(export + ["--json"]).object()["written"] as? Int == 0)
    expect(
      try await sandbox.media("export", "--no-strip-location"), fails: 64, saying: "--no-strip-location goes with")
  }
}

import Foundation
import Testing

/// The gallery in real browsers. The cases are written in Python, whose drivers know the browsers: Tests/Browser.
@Suite(.timeLimit(.minutes(10))) struct GalleryBrowserTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  @Test func `the gallery does in real browsers what its cases claim`() async throws {
    let house = try Household()
    let programs = URL(fileURLWithPath: Household.binary).deletingLastPathComponent().path
    // With this machine's pip settings.
    let cases = try Running(
      "/bin/bash", ["\(Self.root)/Scripts/test-browser", programs], ProcessInfo.processInfo.environment,
      said: "\(house.said)/browser")
    cases.endInput()
    let ended = try await cases.end()
    #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
  }
}

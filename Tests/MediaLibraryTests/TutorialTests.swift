import Foundation
import MediaLibrary
import Testing

@testable import TutorialStep5

/// The tutorial of the library's documentation. Each of its steps is a target, so that this file builds only if they do.
@Suite(.timeLimit(.minutes(10))) struct TutorialTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/MediaLibrary/MediaLibrary.docc")

  @Test func `the tutorial shows the steps that are compiled, each once and in order`() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "Tutorials/Follow-a-Tag.tutorial"), encoding: .utf8)
    let files = text.matches(of: /file: "([^"]+)"/).map { String($0.1) }
    #expect(files == (1...5).map { "birdwatch-\($0).swift" })
    for (index, file) in files.enumerated() {
      #expect(FileManager.default.fileExists(atPath: Self.folder.path + "/Steps/\(index + 1)/\(file)"))
    }
  }

  @Test func `the finished program shows the newest posts, and a deletion that is taken back`() async throws {
    let home = try Home()
    try home.save([1, 2])
    let watch = try Birdwatch(folder: home.folder)
    #expect(try watch.newest("cats") == ["post 2", "post 1"])
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let follower = Task {
      try await watch.follow("cats") { line.yield($0) }
      line.finish()
    }
    var shown = lines.makeAsyncIterator()
    #expect(await shown.next() == "+ post 2")
    #expect(await shown.next() == "+ post 1")
    let row = try #require(try home.library.snapshot(of: PostListQuery()).rows.first)
    let deletion = try watch.delete(row)
    #expect(await shown.next() == "- post 2")
    try watch.undo(deletion)
    #expect(await shown.next() == "+ post 2")
    watch.library.close()
    #expect(await shown.next() == nil)
    try await follower.value
  }
}

import Folders
import Foundation
import ScriptedOrigin
import Testing

/// A library of the system that is not installed: one sentence names its Debian package, and nothing crashes.
@Suite(.inFolders, .timeLimit(.minutes(5))) struct MissingLibraryTests {
  @Test(arguments: [
    ("libcurl.so.4", "tag cats --server ORIGIN", "libcurl is not installed: apt-get install libcurl4"),
    ("libxml2.so.2", "feed ORIGIN/feed.xml", "libxml2 is not installed: apt-get install libxml2"),
    ("libarchive.so.13", "import FOLDER/pictures.tar", "libarchive is not installed: apt-get install libarchive13"),
    (
      "libpq.so.5", "list --library postgresql://127.0.0.1/media?blobs=/tmp",
      "libpq is not installed: apt-get install libpq5"
    ),
  ])
  func `a missing library is named with its package`(file: String, words: String, said: String) async throws {
    try await withOrigin(Script(posts: 1)) { origin in
      origin.change { $0.documents["/feed.xml"] = ScriptedDocument("<rss version='2.0'><channel></channel></rss>") }
      var sandbox = try Sandbox()
      #expect(try await sandbox.bash("tar -C / -cf '\(sandbox.folder)/pictures.tar' etc/hostname").status == 0)
      // The loader takes a file that is no library for the library, and gives up.
      let folder = "\(sandbox.folder)/broken"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(folder)/\(file)"))
      sandbox.environment["LD_LIBRARY_PATH"] = folder
      let ended = try await sandbox.bash(
        "exec $MEDIA \(words.replacing("ORIGIN", with: origin.url).replacing("FOLDER", with: sandbox.folder))")
      #expect((1..<128).contains(ended.status), "\(ended)")
      let lines = ended.errors.split(separator: "\n")
      #expect(lines.count == 1 && ended.errors.contains(said), "\(ended.errors)")
    }
  }
}

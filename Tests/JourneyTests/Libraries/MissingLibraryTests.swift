import Folders
import Foundation
import ScriptedOrigin
import Testing

/// A library of the system that is not installed: one sentence names its Debian package, and nothing crashes.
@Suite(.inFolders, .timeLimit(.minutes(5))) struct MissingLibraryTests {
  @Test(arguments: [
    ("libcurl.so.4", "tag cats --server ORIGIN", ["12": "libcurl4", "13": "libcurl4t64"]),
    ("libxml2.so.2", "feed ORIGIN/feed.xml", ["12": "libxml2", "13": "libxml2"]),
    ("libarchive.so.13", "import FOLDER/pictures.tar", ["12": "libarchive13", "13": "libarchive13t64"]),
    (
      "libpq.so.5", "list --library postgresql://127.0.0.1/media?blobs=/tmp", ["12": "libpq5", "13": "libpq5"]
    ),
  ])
  func `a missing library is named with its package`(
    file: String, words: String, packages: [String: String]
  ) async throws {
    let system = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    let release = try #require(system.firstMatch(of: /VERSION_ID="(\d+)"/)).output.1
    let package = try #require(packages[String(release)], "this release of Debian is not among \(packages.keys)")
    let said = "\(file.prefix { $0 != "." }) is not installed: apt-get install \(package)"
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

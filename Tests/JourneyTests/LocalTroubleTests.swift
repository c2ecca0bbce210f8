import Foundation
import Migrations
import ScriptedOrigin
import Testing

@testable import Storage

/// A file system of a few megabytes in memory, mounted where only root may.
final class SmallDisk: Sendable {
  static let isPossible: Bool = getuid() == 0 && (try? SmallDisk(bytes: 65_536))?.isMounted == true

  let scratch: Scratch
  let isMounted: Bool

  init(bytes: Int) throws {
    scratch = try Scratch()
    isMounted = mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0
  }

  func makeReadOnly() -> Bool { mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }

  deinit { if isMounted { umount2(scratch.path, Int32(MNT_DETACH)) } }
}

/// How commands end when the disk or the library is in the way: 74.
@Suite(.timeLimit(.minutes(2))) struct LocalTroubleTests {
  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a full disk ends with 74, and what came stays`() async throws {
    try await withOrigin(Script(posts: 120, padding: 50_000)) { origin in
      let disk = try SmallDisk(bytes: 4 << 20)
      var house = try Household()
      house.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
      let ended = try await house.media("tag", "cats", "--pages", "3", "--json", "--server", origin.url)
      expect(ended, fails: 74, saying: "no space is left for \(house.library)", "free some space", output: true)
      let summary = try ended.object()
      #expect(summary["media", "downloaded"] ?? 0 > 0)
      let listed = try await house.media("list", "--json", "--limit", "1000").objects()
      #expect(listed.count == summary["posts", "new"])
      let stored = listed.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
        .filter { $0["state"] as? String == "stored" }
      #expect(Set(stored.compactMap { $0["path"] as? String }).count == summary["media", "downloaded"])
      for picture in stored {
        let bytes = FileManager.default.contents(atPath: "\(house.library)/\(picture["path"] as? String ?? "")")
        #expect(bytes.map { Picture.sha256(Array($0)) } == picture["sha256"] as? String)
      }
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a disk that may not be written ends a pull with 74`() async throws {
    let disk = try SmallDisk(bytes: 4 << 20)
    var house = try Household()
    house.environment["MEDIA_HOME"] = "\(disk.scratch.path)/library"
    try await house.media("add", "first bird")
    try #require(disk.makeReadOnly())
    expect(try await house.media("add", "second bird"), fails: 74, saying: "\(house.library)", "may not be written")
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a folder of somebody else's ends with 74`() async throws {
    var house = try Household()
    house.environment["MEDIA_HOME"] = "/usr/media"
    expect(try await house.media("add", "first bird"), fails: 74, saying: "/usr/media may not be written", "--library")
  }

  @Test func `a library of a newer version ends with 74 and stays as it is`() async throws {
    let house = try Household()
    try await house.media("add", "first bird")
    let future = Migration.all + [Migration(name: "v900_future", sql: "CREATE TABLE future (id INTEGER) STRICT;")]
    _ = try Store.open(library: house.library, for: .writing, migrations: future, now: .init(timeIntervalSince1970: 0))
    for command in [["list"], ["add", "second bird"], ["tag", "cats", "--server", "http://127.0.0.1:9"]] {
      expect(try await house.run(command), fails: 74, saying: "made by a newer version of media", "update media")
    }
  }

  @Test func `a file that is no library ends with 74 and stays as it is`() async throws {
    let house = try Household()
    let text = "Dear diary, this is a text that is longer than the head of a library."
    try FileManager.default.createDirectory(atPath: house.library, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(house.library)/media.sqlite"))
    for command in [["list"], ["add", "first bird"], ["stats", "--json"]] {
      expect(try await house.run(command), fails: 74, saying: "is not a media library", "--library")
    }
    let left = FileManager.default.contents(atPath: "\(house.library)/media.sqlite")
    #expect(left.map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test func `a library that is a file ends with 74`() async throws {
    let house = try Household()
    try Data("x".utf8).write(to: URL(fileURLWithPath: house.library))
    expect(try await house.media("add", "first bird"), fails: 74, saying: house.library)
  }
}

/// How commands end that were ended: 130, 143, and 0 where a reader had enough.
@Suite(.timeLimit(.minutes(2))) struct EndedTests {
  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `a signal in the middle of a page ends the pull, what came is stored, and the same command goes on`(
    signal: Int32, status: Int32
  ) async throws {
    let script = Script(posts: 130, troubles: [.nth(3, "/api/v1/timelines", .slow(.seconds(90)))])
    try await withOrigin(script) { origin in
      let house = try Household()
      let pull = ["tag", "cats", "--pages", "3", "--json", "--server", origin.url]
      let running = try house.begin(pull)
      try await running.says("page 2 of 3")
      running.signal(signal)
      let ended = try await running.end()
      expect(ended, fails: status, saying: "interrupted", "what came is stored", output: true)
      let summary = try ended.object()
      #expect(summary["posts", "new"] == 80)
      #expect(summary["complete"] as? Bool == false)
      #expect(summary["next"] as? String == script.posts[79].id)
      #expect(try await house.media("list", "--json", "--limit", "500").lines.count == 80)
      let again = try await house.run(pull).object()
      #expect(again["posts", "unchanged"] == 80)
      #expect(again["posts", "new"] == 40)
    }
  }

  @Test func `a killed pull leaves whole pages and a library that opens`() async throws {
    let script = Script(posts: 130, troubles: [.nth(3, "/api/v1/timelines", .slow(.seconds(90)))])
    try await withOrigin(script) { origin in
      let house = try Household()
      let running = try house.begin(["tag", "cats", "--pages", "3", "--server", origin.url])
      try await running.says("page 2 of 3")
      running.signal(SIGKILL)
      #expect(try await running.end().status == 137)
      #expect(try await house.media("list", "--json", "--limit", "500").lines.count == 80)
      let pull = try await house.media("tag", "cats", "--pages", "3", "--json", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      let held = try await house.media("list", "--json", "--limit", "500").objects()
      let pictures = held.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(pictures.count == script.posts.prefix(120).map(\.attachments.count).reduce(0, +))
      #expect(pictures.allSatisfy { $0["state"] as? String == "stored" })
    }
  }

  @Test func `a reader that has enough ends the list quietly with 0`() async throws {
    try await withOrigin(Script(posts: 400)) { origin in
      let house = try Household()
      let pull = ["tag", "cats", "--pages", "10", "--no-pictures", "--no-avatars", "--server", origin.url]
      #expect(try await house.run(pull).status == 0)
      for flags in ["--json", "--plain"] {
        // More than a pipe holds, so that the rest meets a closed one.
        let all = "\"$MEDIA\" list --limit 1000000 \(flags)"
        let piped = try await house.bash("set -o pipefail; \(all) | head -1")
        #expect((piped.status, piped.lines.count, piped.errors) == (0, 1, ""))
      }
      let whole = try await house.media("list", "--json", "--limit", "1000000")
      #expect(whole.output.utf8.count > 200_000)
      let closed = try await house.bash("\"$MEDIA\" list --json >&-")
      #expect(closed.status == 74)
      let full = try await house.bash("\"$MEDIA\" list --json > /dev/full")
      expect(full, fails: 74, saying: "the output cannot be written")
    }
  }

  @Test func `with --quiet a success says nothing at all`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let house = try Household()
      let pull = try await house.media("tag", "cats", "--quiet", "--server", origin.url)
      #expect((pull.status, pull.output, pull.errors) == (0, "", ""))
      for command in [["add", "first bird", "-q"], ["delete", "1", "--quiet"], ["restore", "1", "--quiet"]] {
        let ended = try await house.run(command)
        #expect((ended.status, ended.output, ended.errors) == (0, "", ""), "\(command)")
      }
      let failing = try await house.media("tag", "cats", "--quiet", "--server", "http://127.0.0.1:9")
      #expect(failing.status == 69)
      #expect(failing.output.isEmpty)
      #expect(failing.errors.split(separator: "\n").count == 1)
    }
  }
}

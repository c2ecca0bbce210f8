import Foundation
import Synchronization
import Terminal
import Testing

@testable import Pictures

/// The client with real processes: the built child, and shell scripts that misbehave.
@Suite(.timeLimit(.minutes(10))) struct DrawerTests {
  /// A script that sends the greeting, logs each request, and runs `answers` for it.
  private func scripted(_ album: Album, _ answers: String) throws -> String {
    try album.script(
      """
      echo "media-picture 1"
      while read -r line; do
        echo "$line" >>\(album.path)/asked
        id=${line#*\\"id\\":}; id=${id%%[,\\}]*}
        \(answers)
      done
      """)
  }

  private let good = #"printf '{"bytes":3,"columns":1,"id":%s,"rows":1}\nabc' "$id""#

  private func requestCount(_ album: Album) -> Int {
    let text = String(decoding: FileManager.default.contents(atPath: "\(album.path)/asked") ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").count
  }

  @Test func `a killed child affects no later picture, and the next picture starts another child`() async throws {
    let album = try Album()
    let drawer = PictureDrawer()
    _ = try await drawer.draw(.blocks(try album.put(try Made.png(9, 9), as: "1.png")))
    let first = try #require(drawer.process)
    kill(first, SIGKILL)
    let second = PictureRequest.blocks(try album.put(try Made.png(8, 8), as: "2.png"))
    #expect(await drawer.result(second) == .failure(.broken("the picture ended the program that draws")))
    _ = try await drawer.draw(second)
    #expect(drawer.process != first)
  }

  @Test func `a child that hangs is ended at the time limit, and the next picture starts another`() async throws {
    let album = try Album()
    let drawer = PictureDrawer(timeLimit: .milliseconds(1500))
    _ = try await drawer.draw(.blocks(try album.put(try Made.png(9, 9), as: "1.png")))
    let first = try #require(drawer.process)
    kill(first, SIGSTOP)
    let second = PictureRequest.blocks(try album.put(try Made.png(8, 8), as: "2.png"))
    #expect(await drawer.result(second) == .failure(.broken("the picture took longer than 1.5 s to draw")))
    #expect(drawer.process == nil)
    #expect(kill(first, 0) == -1 && errno == ESRCH)
  }

  @Test(arguments: [
    "exit 0", "kill -9 $$", "echo nonsense", #"printf '{"bytes":3,"columns":1,"id":77,"rows":1}\nabc'"#,
    #"printf '{"bytes":99999999999,"columns":1,"id":%s,"rows":1}\nabc' "$id""#,
    #"printf '{"bytes":3,"columns":900,"id":%s,"rows":1}\nabc' "$id""#,
    #"printf '{"bytes":3,"columns":1,"id":%s,"rows":1}\nabcdef' "$id""#,
    #"printf '{"bytes":4,"columns":1,"id":%s,"rows":1}\n\033[2J' "$id""#, "yes",
  ])
  func `a child that answers nonsense is ended, and nothing of its answer is shown`(answer: String) async throws {
    let album = try Album()
    let drawer = PictureDrawer(try scripted(album, answer))
    let result = await drawer.result(.blocks("/a"))
    guard case .failure(.broken) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(drawer.process == nil)
  }

  @Test(arguments: [
    ("exit 127", "it ends at once; are libchafa and libgdk-pixbuf installed?"),
    ("echo media-picture 2; cat", "it is of another version"),
  ])
  func `a program that never starts is a permanent failure`(script: String, reason: String) async throws {
    let album = try Album()
    let program = try album.script("echo >>\(album.path)/asked; \(script)")
    let drawer = PictureDrawer(program)
    for _ in 0..<3 {
      #expect(await drawer.result(.blocks("/a")) == .failure(.unavailable("\(program): \(reason)")))
    }
    #expect(FileManager.default.contents(atPath: "\(album.path)/asked")?.count == 1)
  }

  @Test func `a cancelled request that waits is never sent, a running one returns at once`() async throws {
    let album = try Album()
    let wait = "while [ ! -e \(album.path)/go ]; do sleep 0.01; done"
    let drawer = PictureDrawer(try scripted(album, "\(wait); \(good)"))
    let underWay = Task { await drawer.result(.blocks("/1")) }
    while requestCount(album) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let waiting = Task { await drawer.result(.blocks("/2")) }
    underWay.cancel()
    #expect(await underWay.value == .failure(.cancelled))
    waiting.cancel()
    #expect(await waiting.value == .failure(.cancelled))
    let last = Task { await drawer.result(.blocks("/3")) }
    _ = try album.put([], as: "go")
    #expect(await last.value == .success(DrawnPicture(columns: 1, rows: 1, bytes: Array("abc".utf8))))
    #expect(requestCount(album) == 2)
    // A picture that came too late for its request is cached for the next.
    #expect(await drawer.result(.blocks("/1")) != .failure(.cancelled))
    #expect(requestCount(album) == 2)
  }

  @Test func `a cancelled task sends no request`() async throws {
    let album = try Album()
    let drawer = PictureDrawer(try scripted(album, good))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await drawer.result(.blocks("/1"))
    }
    #expect(await task.value == .failure(.cancelled))
    await drawer.endChild()
    #expect(requestCount(album) == 0)
  }

  @Test func `concurrent requests each get their own picture, and a picture requested twice is drawn once`()
    async throws
  {
    let album = try Album()
    let drawer = PictureDrawer(
      try scripted(album, #"printf '{"bytes":4,"columns":1,"id":%s,"rows":1}\n%4s' "$id" "$id""#))
    let pictures = await withTaskGroup(of: [UInt8].self) { group in
      for number in 0..<40 {
        group.addTask { (try? await drawer.draw(.blocks("/\(number % 20)")).bytes) ?? [] }
      }
      return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(pictures.count == 20)
    #expect(!pictures.contains([]))
    #expect(requestCount(album) == 20)
  }

  @Test func `after a rest a drawer has no child, and draws again`() async throws {
    let album = try Album()
    let drawer = PictureDrawer()
    let request = PictureRequest.blocks(try album.put(try Made.png(9, 9), as: "1.png"))
    _ = try await drawer.draw(request)
    let process = try #require(drawer.process)
    await drawer.endChild()
    #expect(drawer.process == nil)
    #expect(kill(process, 0) == -1 && errno == ESRCH)
    _ = try await drawer.draw(.blocks(try album.put(try Made.png(8, 8), as: "2.png")))
  }
}

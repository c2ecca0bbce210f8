import Folders
import Foundation
import MediaHarvest
import Synchronization

@testable import ScriptedOrigin

let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// A clock that only sleeping and `pass` advance.
final class MadeUpClock: Sendable {
  private let state = Mutex(noon)

  var now: Date { state.withLock { $0 } }

  func pass(_ seconds: TimeInterval) { state.withLock { $0 += seconds } }

  var time: TimeSource {
    TimeSource(
      now: { self.now },
      sleep: { wait in
        try Task.checkCancellation()
        self.pass(wait / .seconds(1))
        await Task.yield()
      }, chance: { 0 })
  }
}

/// A library and a configuration that are removed after the test, and a session with a made-up clock.
final class Home: Sendable {
  let scratch: Scratch
  let clock = MadeUpClock()
  let session: PullSession

  var configuration: String { "\(scratch.path)/config" }

  init() throws {
    scratch = try Scratch()
    session = try PullSession.start(
      in: "\(scratch.path)/library", configuration: "\(scratch.path)/config", agent: "test/1.0", time: clock.time,
      environment: [:])
  }

  deinit { session.close() }

  /// The captions of all posts, newest first.
  var captions: [String] {
    get throws {
      try session.library.snapshot(of: PostListQuery(), window: Window(after: 500)).rows.map(\.post.caption)
    }
  }
}

extension Origin {
  /// The origin's server.
  var server: Server { Server(url)! }

  /// The feed of the origin's tag.
  var cats: Feed { Feed(source: .usual, kind: .tag, value: "cats", server: server) }
}

extension Script {
  /// Posts without pictures.
  static func plain(_ count: Int) -> Script {
    var script = Script(posts: count)
    for index in script.posts.indices { script.posts[index].attachments = [] }
    script.judgesWaits = false
    return script
  }

  /// One post with one picture.
  static var onePicture: Script {
    var script = plain(1)
    script.posts[0].attachments = [ScriptedAttachment(id: "1", picture: Picture(1), alt: nil)]
    return script
  }
}

import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Retries of what is on the screen when a server answers again.
struct OutageTests {
  private static func posts(_ states: [SafeText]) -> [ListRow] {
    states.enumerated().map { number, state in
      var post = Stage.post(Int64(states.count - number), hours: Double(number + 1), "A post")
      post.pictures = [.init(kind: "image", state: state)]
      return post
    }
  }

  private func stage(_ states: [SafeText]) throws -> Stage {
    var stage = try Stage(posts: Self.posts(states))
    stage.send(.pictures(.usual), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    stage.send(.fetched)
    return stage
  }

  private func fetched(_ stage: inout Stage) -> [Effect] {
    stage.done().filter { if case .fetch = $0 { true } else { false } }
  }

  @Test func `pictures that could not be had are asked for one post at a time, less and less often`() throws {
    var stage = try stage(["failed", "failed", "stored"])
    #expect(fetched(&stage) == [.fetch([3, 2], retryFailed: false)])
    for (pause, post) in [(15.0, 3), (30, 2), (60, 3), (120, 2), (240, 3), (300, 2), (300, 3)] as [(Double, Int64)] {
      stage.pass(0.1)
      stage.pass(pause - 1)
      stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
      #expect(fetched(&stage) == [], "\(pause)")
      stage.pass(1)
      stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
      stage.pass(0)
      #expect(fetched(&stage) == [.fetch([post], retryFailed: true)], "\(pause)")
      stage.send(.fetched)
    }
  }

  @Test func `when one of them comes, its host answers again, and all on the screen are asked for`() throws {
    var stage = try stage(["failed", "failed", "pending"])
    _ = fetched(&stage)
    stage.pass(0)
    stage.pass(16)
    #expect(fetched(&stage) == [.fetch([3], retryFailed: true)])
    stage.send(.fetched, .list(Stage.reading(Self.posts(["stored", "failed", "pending"]))))
    stage.pass(0.1)
    #expect(fetched(&stage) == [.fetch([2, 1], retryFailed: true)])
  }

  @Test func `faces that could not be had are asked for again when a feed answers again`() throws {
    var posts = Self.posts(["stored", "stored", "stored"])
    posts[1].lacksAvatar = true
    var stage = try Stage(posts: posts)
    stage.send(.pictures(.usual), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [])
    stage.send(.pull(.recovered))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([2], retryFailed: true)])
    stage.send(.fetched)
    stage.pass(1)
    #expect(fetched(&stage) == [])
  }

  @Test func `of a feed that takes no more requests it is not said that a key tries again, whatever others do`() throws
  {
    var stage = try stage(["stored"])
    let until = stage.screen.now.addingTimeInterval(600)
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "a.example takes no more", failureUntil: until)))
    #expect(stage.text.contains("a.example takes no more") && !stage.text.contains("r tries again"))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "a.example cannot be reached")))
    #expect(stage.text.contains("a.example cannot be reached · r tries again"))
  }

  @Test func `when a feed answers again, pictures, older posts and gaps that failed are asked for again`() throws {
    var stage = try stage(["failed"] + Array(repeating: "stored", count: 3))
    let gap = ListGap(id: ListGap.ID(upper: 2, lower: 1), above: 4, below: 3)
    stage.send(.gaps([gap], isCutShort: false))
    stage.press(.end)
    stage.send(.pull(.ended(.older, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    stage.press(.character("f"))
    stage.send(.pull(.ended(.gap(gap.id), new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    stage.press(.character("r"))
    _ = stage.done()
    stage.send(.pull(.recovered), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(stage.done() == [.pull(.older)])
    stage.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(stage.done() == [.pull(.gap(gap.id))])
    stage.send(.pull(.ended(.gap(gap.id), new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([4], retryFailed: true)])
  }

  @Test func `a feed that answers again restarts nothing that did not fail`() throws {
    var stage = try stage(Array(repeating: "stored", count: 3))
    stage.press(.end, .character("r"))
    stage.send(.pull(.ended(.older, new: 0, isEnd: false, failure: nil)))
    _ = stage.done()
    stage.send(.pull(.recovered), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(stage.done() == [])
  }
}

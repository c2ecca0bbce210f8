import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Retries of what is on the screen when a server answers again.
struct OutageTests {
  private static func posts(_ states: [SafeText]) -> [ListRow] {
    states.enumerated().map { number, state in
      var post = ScreenTester.post(Int64(states.count - number), hours: Double(number + 1), "A post")
      post.pictures = [.init(kind: "image", state: state)]
      return post
    }
  }

  private func tester(_ states: [SafeText]) throws -> ScreenTester {
    var tester = try ScreenTester(posts: Self.posts(states))
    tester.send(.pictures(.usual), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    tester.send(.fetched)
    return tester
  }

  private func fetched(_ tester: inout ScreenTester) -> [Effect] {
    tester.done().filter { if case .fetch = $0 { true } else { false } }
  }

  @Test func `pictures that could not be had are asked for one post at a time, less and less often`() throws {
    var tester = try tester(["failed", "failed", "stored"])
    #expect(fetched(&tester) == [.fetch([3, 2], retryFailed: false)])
    for (pause, post) in [(15.0, 3), (30, 2), (60, 3), (120, 2), (240, 3), (300, 2), (300, 3)] as [(Double, Int64)] {
      tester.pass(0.1)
      tester.pass(pause - 1)
      tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
      #expect(fetched(&tester) == [], "\(pause)")
      tester.pass(1)
      tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
      tester.pass(0)
      #expect(fetched(&tester) == [.fetch([post], retryFailed: true)], "\(pause)")
      tester.send(.fetched)
    }
  }

  @Test func `when one of them comes, its host answers again, and all on the screen are asked for`() throws {
    var tester = try tester(["failed", "failed", "pending"])
    _ = fetched(&tester)
    tester.pass(0)
    tester.pass(16)
    #expect(fetched(&tester) == [.fetch([3], retryFailed: true)])
    tester.send(.fetched, .list(ScreenTester.reading(Self.posts(["stored", "failed", "pending"]))))
    tester.pass(0.1)
    #expect(fetched(&tester) == [.fetch([2, 1], retryFailed: true)])
  }

  @Test func `faces that could not be had are asked for again when a feed answers again`() throws {
    var posts = Self.posts(["stored", "stored", "stored"])
    posts[1].lacksAvatar = true
    var tester = try ScreenTester(posts: posts)
    tester.send(.pictures(.usual), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [])
    tester.send(.pull(.recovered))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([2], retryFailed: true)])
    tester.send(.fetched)
    tester.pass(1)
    #expect(fetched(&tester) == [])
  }

  @Test func `of a feed that takes no more requests it is not said that a key tries again, whatever others do`() throws
  {
    var tester = try tester(["stored"])
    let until = tester.screen.now.addingTimeInterval(600)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "a.example takes no more", failureUntil: until)))
    #expect(tester.text.contains("a.example takes no more") && !tester.text.contains("r tries again"))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "a.example cannot be reached")))
    #expect(tester.text.contains("a.example cannot be reached · r tries again"))
  }

  @Test func `when a feed answers again, pictures, older posts and gaps that failed are asked for again`() throws {
    var tester = try tester(["failed"] + Array(repeating: "stored", count: 3))
    let gap = ListGap(id: ListGap.ID(upper: 2, lower: 1), above: 4, below: 3)
    tester.send(.gaps([gap], isCutShort: false))
    tester.press(.end)
    tester.send(.pull(.ended(.older, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    tester.press(.character("f"))
    tester.send(.pull(.ended(.gap(gap.id), new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    tester.press(.character("r"))
    _ = tester.done()
    tester.send(.pull(.recovered), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(tester.done() == [.pull(.older)])
    tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(tester.done() == [.pull(.gap(gap.id))])
    tester.send(.pull(.ended(.gap(gap.id), new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([4], retryFailed: true)])
  }

  @Test func `a feed that answers again restarts nothing that did not fail`() throws {
    var tester = try tester(Array(repeating: "stored", count: 3))
    tester.press(.end, .character("r"))
    tester.send(.pull(.ended(.older, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    tester.send(.pull(.recovered), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(tester.done() == [])
  }
}

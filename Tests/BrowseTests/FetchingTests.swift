import Foundation
import Terminal
import Testing

@testable import Browse

/// Fetching missing pictures.
struct FetchingTests {
  private func stage(_ states: [SafeText]) throws -> Stage {
    let posts = states.enumerated().map { number, state in
      var post = Stage.post(Int64(states.count - number), hours: Double(number + 1), "A post")
      post.pictures = [.init(kind: "image", state: state)]
      return post
    }
    var stage = try Stage(posts: posts)
    stage.send(.pictures(.usual))
    return stage
  }

  private func fetched(_ stage: inout Stage) -> [Effect] {
    stage.done().filter { if case .fetch = $0 { true } else { false } }
  }

  @Test func `pictures of posts on the screen are asked for once, when no pull is under way`() throws {
    var stage = try stage(["pending", "skipped", "failed", "gone"] + Array(repeating: "pending", count: 8))
    stage.pass(1)
    #expect(fetched(&stage) == [])
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([12, 10], retryFailed: false)])
    stage.pass(1)
    stage.send(.fetched)
    stage.pass(1)
    #expect(fetched(&stage) == [])
    stage.press(.character("G"))
    stage.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([4, 3, 2, 1], retryFailed: false)])
  }

  @Test func `r tries again what failed, and what is restored is asked for anew`() throws {
    var stage = try stage(["failed", "stored"])
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    stage.send(.fetched)
    #expect(fetched(&stage) == [.fetch([2], retryFailed: false)])
    stage.press(.character("r"))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    stage.send(.fetched)
    #expect(fetched(&stage) == [.fetch([2], retryFailed: true, gone: true)])
    stage.send(.done(.restored([2])))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([2], retryFailed: true, gone: true)])
  }

  @Test func `r asks again for a picture that was gone, on the post's own screen, too`() throws {
    var stage = try stage(["gone", "stored"])
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [])
    stage.press(.enter)
    stage.pass(1)
    #expect(fetched(&stage) == [])
    for _ in 0..<2 {
      stage.press(.character("r"))
      stage.pass(1)
      stage.send(.fetched)
      #expect(fetched(&stage) == [.fetch([2], retryFailed: true, gone: true)])
    }
  }

  @Test func `r asks again for the pictures on screen at that time, not for later ones`() throws {
    var stage = try stage(["failed", "gone"] + Array(repeating: "stored", count: 8) + ["failed", "gone"])
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    stage.send(.fetched)
    #expect(fetched(&stage) == [.fetch([12], retryFailed: false)])
    stage.press(.character("r"))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([12, 11], retryFailed: true, gone: true)])
    stage.send(.fetched)
    stage.press(.character("G"))
    stage.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [.fetch([2], retryFailed: true)])
  }

  @Test func `no picture is fetched if pictures are off`() throws {
    var stage = try stage(["pending"])
    stage.send(.pictures(nil), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.pass(1)
    #expect(fetched(&stage) == [])
  }
}

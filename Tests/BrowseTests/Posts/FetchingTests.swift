import Foundation
import Terminal
import Testing

@testable import Browse

/// Fetching missing pictures.
struct FetchingTests {
  private func tester(_ states: [SafeText]) throws -> ScreenTester {
    let posts = states.enumerated().map { number, state in
      var post = ScreenTester.post(Int64(states.count - number), hours: Double(number + 1), "A post")
      post.pictures = [.init(kind: "image", state: state)]
      return post
    }
    var tester = try ScreenTester(posts: posts)
    tester.send(.pictures(.usual))
    return tester
  }

  private func fetched(_ tester: inout ScreenTester) -> [Effect] {
    tester.done().filter { if case .fetch = $0 { true } else { false } }
  }

  @Test func `pictures of posts on the screen are asked for once, when no pull is under way`() throws {
    var tester = try tester(["pending", "skipped", "failed", "gone"] + Array(repeating: "pending", count: 8))
    tester.pass(1)
    #expect(fetched(&tester) == [])
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([12, 10], retryFailed: false)])
    tester.pass(1)
    tester.send(.fetched)
    tester.pass(1)
    #expect(fetched(&tester) == [])
    tester.press(.character("G"))
    tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([4, 3, 2, 1], retryFailed: false)])
  }

  @Test func `r tries again what failed, and what is restored is asked for anew`() throws {
    var tester = try tester(["failed", "stored"])
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    tester.send(.fetched)
    #expect(fetched(&tester) == [.fetch([2], retryFailed: false)])
    tester.press(.character("r"))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    tester.send(.fetched)
    #expect(fetched(&tester) == [.fetch([2], retryFailed: true, gone: true)])
    tester.send(.done(.restored([2])))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([2], retryFailed: true, gone: true)])
  }

  @Test func `r asks again for a picture that was gone, on the post's own screen, too`() throws {
    var tester = try tester(["gone", "stored"])
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [])
    tester.press(.enter)
    tester.pass(1)
    #expect(fetched(&tester) == [])
    for _ in 0..<2 {
      tester.press(.character("r"))
      tester.pass(1)
      tester.send(.fetched)
      #expect(fetched(&tester) == [.fetch([2], retryFailed: true, gone: true)])
    }
  }

  @Test func `r asks again for the pictures on screen at that time, not for later ones`() throws {
    var tester = try tester(["failed", "gone"] + Array(repeating: "stored", count: 8) + ["failed", "gone"])
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    tester.send(.fetched)
    #expect(fetched(&tester) == [.fetch([12], retryFailed: false)])
    tester.press(.character("r"))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([12, 11], retryFailed: true, gone: true)])
    tester.send(.fetched)
    tester.press(.character("G"))
    tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [.fetch([2], retryFailed: true)])
  }

  @Test func `no picture is fetched if pictures are off`() throws {
    var tester = try tester(["pending"])
    tester.send(.pictures(nil), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.pass(1)
    #expect(fetched(&tester) == [])
  }
}

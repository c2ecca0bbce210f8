import Foundation
import Posts
import Testing

@testable import Services

/// The whole texts of posts that an archive of X cuts.
struct LongTextsTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)
  private static let beginning = String(repeating: "alike ", count: 45)

  private func text(_ number: Int, at seconds: Double) -> LongText {
    LongText(id: nil, writtenAt: Self.start + seconds, text: "\(Self.beginning)\(number)", tags: [])
  }

  private func post(at seconds: Double) -> Post {
    Post(source: .x, uri: "urn:x:1", createdAt: Self.start + seconds, caption: "\(Self.beginning)…")
  }

  @Test func `of texts that begin alike a post has the one that is nearest in time`() {
    var texts = LongTexts()
    texts.add([text(2, at: 200), text(1, at: 100), LongText(id: nil, writtenAt: nil, text: Self.beginning, tags: [])])
    texts.add([text(3, at: 110)])
    for (seconds, number) in [(0, nil), (41, 1), (104, 1), (106, 3), (110, 3), (159, 2), (260, 2), (261, nil)]
      as [(Double, Int?)]
    {
      var post = post(at: seconds)
      texts.complete(&post)
      #expect(post.caption == number.map { "\(Self.beginning)\($0)" } ?? "\(Self.beginning)…", "\(seconds)")
    }
    #expect(texts.left == 1)
  }

  @Test(.timeLimit(.minutes(1))) func `a hundred thousand that begin alike are matched soon`() {
    var texts = LongTexts()
    let times = (0..<100_000).map { Double($0) * 100 }
    texts.add(times.enumerated().map { text($0, at: $1) })
    for time in times {
      var post = post(at: time + 1)
      texts.complete(&post)
    }
    #expect(texts.left == 0)
  }
}

import Foundation
import ScriptedOrigin

/// Writes posts of many feeds.
struct Feeds: Sendable {
  /// The tags.
  let names: [String]
  private var writer: PostWriter
  private var chance: Chance
  private var written = 0

  /// Each feed begins with fewer posts than a page, so that its first pull shows all.
  init(seed: UInt64, count: Int, script: inout Script) {
    names = (0..<count).map { "feed" + String(String(1000 + $0).dropFirst()) }
    writer = PostWriter(tag: "feeds", seed: seed, padding: 13_000)
    chance = Chance(seed: seed)
    let first = names.enumerated().flatMap { number, name in repeatElement([name], count: 1 + number % 13) }
    script.posts = first.map { post(of: $0) }.reversed()
  }

  /// The next posts, newest first: one of a feed, sometimes of two feeds, seldom a burst.
  mutating func arrivals() -> [ScriptedPost] {
    let name = names.randomElement(using: &chance)
    let count = chance.isTrue(1) ? Int.random(in: 5...50, using: &chance) : 1
    return (0..<count).map { _ in
      let other = chance.isTrue(10) ? names.randomElement(using: &chance) : nil
      return post(of: Set([name, other].compactMap(\.self)).sorted())
    }.reversed()
  }

  private mutating func post(of names: [String]) -> ScriptedPost {
    var post = writer.post(written)
    written += 1
    (post.tags, post.createdAt) = (names, Int(Date().timeIntervalSince1970))
    post.attachments = Array(post.attachments.prefix(2))
    return post
  }
}

extension Chance {
  fileprivate mutating func isTrue(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

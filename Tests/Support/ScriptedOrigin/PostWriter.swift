/// Writes posts by number, each the same on every run of a seed.
public struct PostWriter: Sendable {
  let tag: String
  let ids: Script.IDs
  let boosts: Bool
  let padding: Int
  private var chance: Chance
  private var pictures = 0

  /// Creates a writer. Several writers of one script need different numbers.
  public init(
    tag: String, seed: UInt64 = 1, ids: Script.IDs = .numbers, boosts: Bool = false, padding: Int = 0,
    firstPicture: Int = 0
  ) {
    (self.tag, self.ids, self.boosts, self.padding) = (tag, ids, boosts, padding)
    chance = Chance(seed: seed)
    pictures = firstPicture
  }

  /// The post of a number; higher numbers are newer.
  public mutating func post(_ number: Int) -> ScriptedPost {
    let words = ["quiet", "orange", "river", "early", "paper", "north", "velvet", "small"].shuffled(using: &chance)
    let text = "\(words[0]) \(words[1]) & \(words[2]) number \(number)"
    var post = ScriptedPost(
      id: id(number), author: Int.random(in: 0..<5, using: &chance), createdAt: 1_760_000_000 + number * 60,
      caption: "\(text) #\(tag)", html: html(text), tags: [tag], attachments: [])
    post.language = number % 3 == 0 ? nil : "en"
    if number % 10 == 3 { (post.warning, post.sensitive) = ("careful", true) }
    post.attachments = (0..<Int.random(in: 0...4, using: &chance)).map { attachment($0, of: number) }
    if boosts, number % 20 == 7 { post.boost = (by: (post.author + 1) % 5, innerID: id(number - 1, offset: 500)) }
    return post
  }

  private mutating func attachment(_ index: Int, of number: Int) -> ScriptedAttachment {
    pictures += 1
    let shown = pictures % 12 == 0 ? pictures - 7 : pictures
    return ScriptedAttachment(
      id: "\(700_000 + number * 10 + index)", picture: Picture(shown, padding: padding),
      alt: pictures % 4 == 0 ? nil : "picture \(pictures)", bare: pictures % 6 == 0)
  }

  private func html(_ text: String) -> String {
    let escaped = text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
    return "<p>\(escaped) <a href=\"https://origin.example/tags/\(tag)\" class=\"mention hashtag\" rel=\"tag\">"
      + "#<span>\(tag)</span></a></p>"
  }

  private func id(_ number: Int, offset: Int = 0) -> String {
    let value = 110_000_000_000_000_000 + number * 1000 + offset
    return ids == .numbers ? String(value) : "01H" + String(value, radix: 32, uppercase: true)
  }
}

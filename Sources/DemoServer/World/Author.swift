import FoundationEssentials

/// Writes posts: the same seed and number give the same post, whenever it is written.
struct Author: Sendable {
  let seed: UInt64

  /// Every post carries this tag.
  static let commonTag = "demo"

  /// The post with a number, written at `time`.
  func post(_ number: Int, at time: Date) -> DemoPost {
    var dice = Dice(seed: seed, subject: UInt64(truncatingIfNeeded: number))
    let author = dice.below(Person.everyone.count)
    let person = Person.everyone[author]
    let phrases = Phrases.of(person.language)
    let topic = dice.pick(person.topics)
    let id = DemoPost.id(at: time, sequence: number & 0xffff)
    var post = DemoPost(id: id, author: author, createdAt: time, caption: Caption(parts: []))
    if !dice.chance(9) { post.pictures = pictures(of: topic, id, phrases, &dice) }
    post.caption = caption(topic, pictured: !post.pictures.isEmpty, phrases, &dice)
    if dice.chance(5) { post.warning = phrases.warning }
    post.counts = SIMD3(dice.below(40), dice.below(160), dice.below(12))
    return post
  }

  /// The text after an edit.
  func edited(_ caption: Caption, language: String, _ dice: inout Dice) -> Caption {
    let aside = dice.pick(Phrases.of(language).asides)
    return Caption(parts: [.text("✏️ " + aside), .paragraph] + caption.parts)
  }

  private func caption(_ topic: Topic, pictured: Bool, _ phrases: Phrases, _ dice: inout Dice) -> Caption {
    var parts: [Caption.Part] = [.text(dice.pick(pictured ? phrases.about[topic] ?? phrases.words : phrases.words))]
    if dice.chance(12) { parts += [.text(" "), .mention(dice.below(Person.everyone.count))] }
    if dice.chance(75) { parts += [dice.chance(25) ? .lineBreak : .text(" "), .text(dice.pick(phrases.asides))] }
    if dice.chance(10) { parts += [.paragraph, .link(link(topic, &dice))] }
    parts += [
      .paragraph, .tag(Author.commonTag), .text(" "), .tag(dice.chance(15) ? topic.capitalised : topic.rawValue),
    ]
    if let own = phrases.tags[topic], dice.chance(40) { parts += [.text(" "), .tag(own)] }
    return Caption(parts: parts)
  }

  private func link(_ topic: Topic, _ dice: inout Dice) -> String {
    let host = dice.pick(["walks.example", "www.fotobuch.example", "archive.example"])
    let page = 1 + dice.below(400)
    return dice.chance(50)
      ? "https://\(host)/\(topic.rawValue)" : "https://\(host)/\(topic.rawValue)/2026/autumn?page=\(page)&from=demo"
  }

  private func pictures(of topic: Topic, _ post: Int64, _ phrases: Phrases, _ dice: inout Dice) -> [DemoPicture] {
    let count = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4][dice.below(12)]
    return (0..<count).map { index in
      let again = dice.chance(6)
      let art = again ? favourite(topic, &dice) : Art(topic: topic, seed: dice.next() >> 16, format: format(&dice))
      return DemoPicture(
        id: post + Int64(index) + 1,
        art: art,
        alt: dice.chance(85) ? phrases.alt[topic] : nil
      )
    }
  }

  /// One of the few pictures that are posted repeatedly.
  private func favourite(_ topic: Topic, _ dice: inout Dice) -> Art {
    var own = Dice(seed: seed, subject: UInt64(1_000_000 + dice.below(2)))
    return Art(topic: topic, seed: own.next() >> 16, format: .jpeg)
  }

  private func format(_ dice: inout Dice) -> PictureFormat {
    dice.pick([.jpeg, .jpeg, .jpeg, .jpeg, .jpeg, .jpeg, .webp, .webp, .png, .png])
  }
}

extension Topic {
  /// As some people write it; a tag is the same tag in either case.
  var capitalised: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

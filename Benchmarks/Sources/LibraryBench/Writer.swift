import Foundation
import MediaLibrary

/// Makes up posts. Post `number` is written five minutes after the one before it: a million posts are ten years.
struct Writer {
  static let server = Server("https://bench.example")!
  /// When post 0 was written.
  static let start = Date(timeIntervalSince1970: 1_400_000_000)
  static let pace: TimeInterval = 300

  private let count: Int
  private var dice: Dice
  private let words: Vocabulary
  private let tags: Vocabulary

  init(count: Int, seed: UInt64 = 1) {
    self.count = count
    dice = Dice(state: seed)
    words = Vocabulary(count: 20_000, prefix: "")
    tags = Vocabulary(count: 2_000, prefix: "tag")
  }

  static func moment(of number: Int) -> Date { start + Double(number) * pace }

  /// One author per 50 posts.
  var authors: Int { max(count / 50, 1) }

  mutating func item(_ number: Int) -> PageItem {
    let made = post(number)
    let word = made.visibility == .followers ? "private" : made.visibility?.rawValue ?? ""
    let raw = #"""
      {"id":"\#(number)","uri":"\#(made.uri)","content":"\#(made.caption)","language":"en","visibility":"\#(word)"}
      """#
    return PageItem(id: made.remoteID, content: .post(made), raw: Array(raw.utf8))
  }

  private mutating func post(_ number: Int) -> Post {
    Post(
      source: .usual,
      uri: "https://bench.example/posts/\(number)",
      url: "https://bench.example/@somebody/\(number)",
      server: Self.server,
      remoteID: "\(number)",
      author: author(Int.random(in: 0..<authors, using: &dice)),
      createdAt: Self.moment(of: number),
      caption: caption(),
      language: "en",
      visibility: visibility(number),
      tags: carried(),
      attachments: pictures(number)
    )
  }

  private func author(_ number: Int) -> Author {
    Author(
      uri: "https://bench.example/users/\(number)", handle: "user\(number)@bench.example",
      name: "\(words[(number * 7919) % words.count].capitalized) \(number)")
  }

  /// Of a hundred posts, ten are unlisted, eight for followers and one for whom it names.
  private func visibility(_ number: Int) -> Visibility {
    switch number * 37 % 100 {
    case 0: .direct
    case 1...8: .followers
    case 9...18: .unlisted
    default: .public
    }
  }

  /// Some 200 characters.
  private mutating func caption() -> String {
    (0..<Int.random(in: 24...40, using: &dice)).map { _ in words.draw(&dice) }.joined(separator: " ")
  }

  /// The feed's tag, and one to four others.
  private mutating func carried() -> [String] {
    var carried = [Maker.feed.value]
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let tag = tags.draw(&dice)
      if !carried.contains(tag) { carried.append(tag) }
    }
    return carried
  }

  /// 1.3 on average.
  private mutating func pictures(_ number: Int) -> [Attachment] {
    (0..<(Int.random(in: 0..<10, using: &dice) < 3 ? 2 : 1)).map { index in
      Attachment(
        kind: .image, remoteID: "\(number)-\(index)", url: "https://files.bench.example/\(number)/\(index).jpg",
        previewURL: "https://files.bench.example/\(number)/\(index)-small.jpg", width: 1600, height: 1200)
    }
  }
}

/// Words of which the n-th is drawn about 1/n as often as the first.
struct Vocabulary {
  private let words: [String]

  init(count: Int, prefix: String) {
    let syllables = ["ka", "lo", "mi", "ren", "tu", "sha", "vel", "no", "pi", "dor", "es", "an"]
    words = (0..<count).map { number in
      var (word, rest) = (prefix, number + syllables.count)
      while rest > 0 { (word, rest) = (word + syllables[rest % syllables.count], rest / syllables.count) }
      return word
    }
  }

  var count: Int { words.count }

  subscript(rank: Int) -> String { words[rank] }

  func draw(_ dice: inout Dice) -> String {
    let rank = pow(Double(words.count), Double.random(in: 0..<1, using: &dice))
    return words[min(Int(rank) - 1, words.count - 1)]
  }
}

/// Numbers from a seed, the same on every machine.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

import FoundationEssentials

/// One entry of the made-up timeline.
struct DemoPost: Sendable, Equatable {
  /// Milliseconds of its time in the upper bits, as Mastodon makes them; newer is greater.
  let id: Int64
  /// Its author's index in `Person.everyone`.
  let author: Int
  let createdAt: Date
  var editedAt: Date?
  var caption: Caption
  var warning = ""
  var pictures: [DemoPicture] = []
  /// The post this one repeats; a boost has no text of its own.
  var boosts: Int64?
  /// Earlier captions, oldest first, each with the time it was written.
  var history: [Revision] = []
  /// The id that an edit gave it; nil if it has its first one, which determines its position on timelines.
  var laterID: Int64?
  /// How often it was boosted, favoured and answered.
  var counts = SIMD3<Int>.zero

  /// A caption that was replaced.
  struct Revision: Sendable, Equatable {
    let caption: Caption
    let writtenAt: Date
  }

  var person: Person { Person.everyone[author] }

  /// The id that clients see.
  var shownID: Int64 { laterID ?? id }

  /// Which of the author's posts it is; the newest of a new demo is 0.
  var number: Int { Int(id & 0xffff) }

  /// Lower-cased, each once, in the order of the text.
  var tags: [String] {
    var seen: Set<String> = []
    return caption.parts.compactMap { part in
      guard case .tag(let name) = part, seen.insert(name.lowercased()).inserted else { return nil }
      return name.lowercased()
    }
  }

  /// The id of a moment; `sequence` distinguishes posts of the same millisecond.
  static func id(at time: Date, sequence: Int = 0) -> Int64 {
    Int64(time.timeIntervalSince1970 * 1000) << 16 | Int64(sequence)
  }
}

/// A picture of a post.
struct DemoPicture: Sendable, Equatable {
  let id: Int64
  let art: Art
  /// Its description; some people forget it.
  let alt: String?
}

/// What an edit changed in a text, word by word.
///
/// What was kept and inserted is the new text, what was kept and deleted the old one.
struct WordDiff: Sendable, Equatable {
  /// A piece of both texts, of the old one or of the new one.
  struct Piece: Sendable, Equatable, Encodable {
    enum Kind: String, Sendable, Encodable { case kept, deleted, inserted }

    let kind: Kind
    var text: String
  }

  private(set) var pieces: [Piece] = []

  /// Compares two texts. The work is bounded: of longer texts, everything between the first and the last change is
  /// replaced.
  init(from old: String, to new: String) {
    var (old, new) = (Self.words(old)[...], Self.words(new)[...])
    let start = zip(old, new).prefix { $0 == $1 }.count
    add(.kept, old.prefix(start))
    (old, new) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    compare(Array(old.dropLast(end)), Array(new.dropLast(end)))
    add(.kept, new.suffix(end))
  }

  /// The maximum number of words that are compared with each other. The cost grows with its square.
  private static let limit = 1000

  private mutating func compare(_ old: [String], _ new: [String]) {
    guard old.count <= Self.limit, new.count <= Self.limit else {
      add(.deleted, old[...])
      add(.inserted, new[...])
      return
    }
    let changes = new.difference(from: old)
    var (deleted, inserted) = (Set<Int>(), Set<Int>())
    for change in changes {
      switch change {
      case .remove(let offset, _, _): deleted.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if deleted.contains(left) {
        add(.deleted, old[left...left])
        left += 1
      } else if inserted.contains(right) {
        add(.inserted, new[right...right])
        right += 1
      } else {
        add(.kept, new[right...right])
        (left, right) = (left + 1, right + 1)
      }
    }
  }

  private mutating func add(_ kind: Piece.Kind, _ words: ArraySlice<String>) {
    guard !words.isEmpty else { return }
    if pieces.last?.kind == kind {
      pieces[pieces.count - 1].text += words.joined()
    } else {
      pieces.append(Piece(kind: kind, text: words.joined()))
    }
  }

  /// Words and what stands between them, by scalars: a text is then the join of its words whatever it contains.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var wasSpace: Bool?
    for scalar in text.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if let wasSpace, wasSpace != isSpace || isSpace {
        words.append(String(word))
        word = String.UnicodeScalarView()
      }
      word.append(scalar)
      wasSpace = isSpace
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }
}

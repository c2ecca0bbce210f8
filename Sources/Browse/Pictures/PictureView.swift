import Terminal

/// The pictures that the screen shows.
struct PictureView: Sendable, Equatable {
  /// The size of a cell; nil if no pictures are drawn.
  var cell: CellSize?
  /// Whether avatars are shown.
  var hasAvatars = true
  /// The picture chosen last for a post.
  private var chosen: (post: Int64, index: Int)?

  /// Whether pictures are drawn.
  var isOn: Bool { cell != nil }

  /// The shown picture of a post.
  func index(in post: ListRow) -> Int {
    guard let chosen, chosen.post == post.id, post.pictures.indices.contains(chosen.index) else { return 0 }
    return chosen.index
  }

  /// Selects another picture of a post, wrapping around.
  mutating func turn(_ step: Int, in post: ListRow) {
    let count = post.pictures.count
    guard count > 1 else { return }
    chosen = (post.id, (index(in: post) + step + count) % count)
  }

  static func == (one: Self, other: Self) -> Bool {
    one.cell == other.cell && one.hasAvatars == other.hasAvatars && one.chosen?.post == other.chosen?.post
      && one.chosen?.index == other.chosen?.index
  }
}

extension ListRow.Picture {
  /// Whether it is stored and of a kind that can be drawn.
  var isDrawable: Bool { blob != nil && kind == "image" }

  /// The most columns of a name.
  private static let nameWidth = 60

  /// Its description: `image`, `cat.jpg`, `1200 × 800`, `3.2 MB`.
  var facts: [SafeText] {
    let bytes: SafeText = isDrawable ? "" : byteCount.map(Self.sizeText) ?? ""
    return [kind, name.truncated(to: Self.nameWidth), size, bytes].filter { !$0.isEmpty }
  }

  /// Why there is nothing to draw, and what helps; nil if its bytes are stored.
  var trouble: (what: SafeText, help: SafeText)? {
    guard blob == nil else { return nil }
    let reason: SafeText = failure.isEmpty ? "" : ": \(failure)"
    switch state {
    case "stored": return nil
    case "pending" where !putOff.isEmpty: return ("put off until \(putOff)", "r fetches it then")
    case "pending": return ("not stored yet", "r fetches it")
    case "failed": return ("failed\(reason)", "r tries again")
    case "gone": return ("gone from its server", "r asks again")
    case "skipped": return ("not fetched\(reason)", "see media pictures")
    default: return (state, "")
    }
  }

  private static func sizeText(_ bytes: Int) -> SafeText {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1000) kB"
    case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
    }
  }
}

import FoundationEssentials
import MediaLibrary
import Terminal

/// What the person said of a post, as the list shows it.
public struct RowMarks: Sendable, Equatable {
  /// Whether they like it.
  public var isFavourite = false
  /// 0 to 5; 0 is no rating.
  public var rating = 0
  /// When they looked at it; nil if they have not.
  public var seenAt: Date?
  /// Their text about it; empty if there is none.
  public var note = SafeText()
  /// Whether the note is shown as it is stored, on one line: only such can be changed in a text field.
  public var hasPlainNote = true
  /// The tags that they gave, without `+`.
  public var ownTags: [SafeText] = []
  /// The albums that hold it.
  public var albums: [SafeText] = []

  /// No marks.
  public init() {}

  /// The marks of a stored post.
  public init(_ marks: PostMarks) {
    (isFavourite, rating, seenAt) = (marks.isFavourite, marks.rating, marks.seenAt)
    note = SafeText(marks.note ?? "", keepingLines: true)
    hasPlainNote = ListRow.isPlain(marks.note ?? "")
    ownTags = marks.ownTags.map { SafeText($0) }
    albums = marks.albums.map { SafeText($0) }
  }

  /// Liking and rating as signs: `★ 4/5`.
  public var worth: [SafeText] {
    [isFavourite ? "★" : nil, rating > 0 ? "\(rating)/5" : nil].compactMap(\.self)
  }

  /// All signs: those of the worth, ✎ for a note and ✓ for a post that was seen.
  var signs: SafeText {
    (worth + [note.isEmpty ? nil : "✎", seenAt == nil ? nil : "✓"].compactMap(\.self)).joined(separator: " ")
  }

  /// The own tags as they are shown: `+boat +print`.
  public var tagText: SafeText { ownTags.map { "+\($0)" as SafeText }.joined(separator: " ") }

  /// Liking, rating and seeing in words; empty if there is nothing to tell.
  ///
  /// - Parameter seen: When it was seen, as a text.
  public func summary(seen: (Date) -> SafeText) -> SafeText {
    [
      isFavourite ? "★ Favourite" : nil, rating > 0 ? "Rating \(rating) of 5" : nil,
      seenAt.map { "Seen \(seen($0))" as SafeText },
    ].compactMap(\.self).joined(separator: " · ")
  }

  /// The albums in words; empty if none holds it.
  public var albumText: SafeText {
    albums.isEmpty ? "" : "\(albums.count == 1 ? "Album" : "Albums"): \(albums.joined(separator: ", "))"
  }
}

import JSONReading
import Posts

/// Where a page begins in a list whose pages are counted.
///
/// Posts that arrive meanwhile move the others to later pages. So the last post of the page before is remembered, and what
/// the next page shows down to it again is left out.
struct CountedPage {
  /// Its number, from 1 on.
  var number = 1
  /// The last post of the page before.
  var last: String?

  /// The page of a cursor: `34?2` with the id before the question mark. Returns nil for anything else.
  init?(_ cursor: Cursor?) {
    guard let cursor else { return }
    let halves = cursor.value.split(separator: "?", omittingEmptySubsequences: false)
    guard halves.count == 2, let number = Int(halves[1]), (2...1_000_000).contains(number) else { return nil }
    (self.number, last) = (number, String(halves[0]))
  }

  /// The posts of the page that the one before did not show.
  func new(_ items: [PageItem]) -> [PageItem] {
    guard let last, let seen = items.lastIndex(where: { $0.id == last }) else { return items }
    return Array(items[(seen + 1)...])
  }

  /// What follows the page, by its items and by the answer's `next_page`, which some lists have and which is null at the end.
  func next(_ items: [PageItem], named: JSONValue?) -> Next {
    if named?.isNull == true { return .end }
    if items.isEmpty { return named == nil ? .end : .horizon }
    guard !new(items).isEmpty else { return .astray(reason: "its pages do not move on") }
    guard let below = items.last(where: { $0.id != nil })?.id, !below.contains("?") else {
      return .refused(reason: "its next page cannot be named")
    }
    return .after(Cursor("\(below)?\(number + 1)"))
  }
}

extension Next {
  /// What follows a page that names the next one. A name that makes no sense is not an end, for below it nothing was read.
  init(named value: JSONValue?, after cursor: Cursor?, hiding isSecret: (String) -> Bool) {
    guard let value, !value.isNull else {
      self = .end
      return
    }
    guard let text = Bounds.word(value.text, bytes: Bounds.line), !text.contains("://"), !isSecret(text) else {
      self = .refused(reason: "its next page cannot be named")
      return
    }
    self = text == cursor?.value ? .astray(reason: "its pages do not move on") : .after(Cursor(text))
  }
}

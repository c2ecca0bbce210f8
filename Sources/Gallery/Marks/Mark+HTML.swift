import MediaLibrary
import Web
import Wording

extension FilterKey {
  /// The address of the list of what has a value.
  func address(of name: String) -> String { "/?q=\("\(Filter.term(.init(self, [.word(name)])))".queryEncoded)" }
}

extension PostMarks {
  /// The rows of a post's facts, each with its name.
  var rows: [(HTML, HTML)] {
    var rows: [(HTML, HTML)] = []
    let state: [HTML] = [
      isFavourite ? "★ favourite" : nil, rating > 0 ? "rated \(rating) of 5" : nil,
      seenAt.map { "seen \(MomentText().html($0))" },
    ].compactMap(\.self)
    if !state.isEmpty { rows.append(("Marked", HTML.joined(state, separator: ", "))) }
    if !ownTags.isEmpty { rows.append(("Own tags", Self.links(.own, ownTags, sign: "+"))) }
    if !albums.isEmpty { rows.append(("Albums", Self.links(.album, albums, sign: ""))) }
    if let note { rows.append(("Note", "<span class=\"note\" dir=\"auto\">\(note)</span>")) }
    return rows
  }

  private static func links(_ key: FilterKey, _ names: [String], sign: HTML) -> HTML {
    HTML.joined(
      names.map { "<a href=\"\(key.address(of: $0))\"><bdi>\(sign)\($0)</bdi></a>" }, separator: ", ")
  }
}

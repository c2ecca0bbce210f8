import Storage

extension LibraryComparison {
  /// Compares what a person keeps beside posts: albums, saved searches, rules, and what is hidden.
  func compareMarks(
    _ one: [LibraryRecord], _ other: [LibraryRecord], _ found: (Difference) throws -> Void
  ) throws {
    let (here, there) = (one.compactMap(ComparedMark.init), other.compactMap(ComparedMark.init))
    let others = Dictionary(there.map { ($0.key, $0) }) { $1 }
    for mark in here {
      guard let same = others[mark.key] else { continue }
      let parts = mark.differing(from: same)
      if !parts.isEmpty { try found(Difference(what: mark.what, kind: .parts(parts))) }
    }
    for mark in Self.missing(here, in: there) { try found(Difference(what: mark.what, kind: .onlyInFirst)) }
    for mark in Self.missing(there, in: here) { try found(Difference(what: mark.what, kind: .onlyInSecond)) }
  }

  /// Albums that were made apart have one name and two identities.
  private static func missing(_ marks: [ComparedMark], in others: [ComparedMark]) -> [ComparedMark] {
    let (keys, names) = (Set(others.map(\.key)), Set(others.filter(\.isThere).map { $0.what.lowercased() }))
    return marks.filter { $0.isThere && !keys.contains($0.key) && !names.contains($0.what.lowercased()) }
  }
}

/// An album, a saved search, a rule, or what is hidden, as libraries compare it.
private struct ComparedMark {
  /// What names it in every library.
  let key: String
  let what: String
  /// What it holds; nil if it was removed.
  private let parts: KeyValuePairs<String, TransferValue>?

  var isThere: Bool { parts != nil }

  init?(_ record: LibraryRecord) {
    switch record {
    case .album(let album):
      key = "album \(album[.identity].text ?? "")"
      what = "album \(album[.name].text ?? "")"
      parts = album[.isDeleted] == .integer(1) ? nil : ["name": .text(album[.name].text?.lowercased() ?? "")]
    case .search(let search):
      key = "saved search \(search[.name].text ?? "")"
      what = key
      parts = search[.filter] == .null ? nil : ["filter": search[.filter]]
    case .rule(let rule):
      key = "rule \(rule[.name].text ?? "")"
      what = key
      parts = rule[.filter] == .null ? nil : ["filter": rule[.filter], "actions": rule[.actions]]
    case .hidden(let hidden):
      what = "hidden \(hidden[.kind].text ?? "") \(hidden[.name].text ?? "")"
      key = "\(what) \(hidden[.source].text ?? "")"
      parts = hidden[.isHidden] == .integer(1) ? [:] : nil
    default: return nil
    }
  }

  func differing(from other: ComparedMark) -> [String] {
    guard let parts, let others = other.parts else { return isThere == other.isThere ? [] : ["removal"] }
    return zip(parts, others).filter { $0.value != $1.value }.map { $0.0.key }
  }
}

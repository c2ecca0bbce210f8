import FetchedResults
import PropertyTesting

/// A row of the lists in these tests.
struct Note: Identifiable, Equatable, Sendable {
  let id: Int
  var group = 0
  var rank = 0
  var text = ""
}

/// A note's position in a list that is grouped by names, which may change.
struct Key: Hashable, Comparable, Sendable {
  let name: String
  let group: Int
  let rank: Int
  let id: Int

  static func < (first: Self, second: Self) -> Bool {
    (first.name, first.group, first.rank, first.id) < (second.name, second.group, second.rank, second.id)
  }
}

/// A whole list. Windows of it are read the simple way: sort, count and cut.
struct Notebook: Sendable {
  var notes: [Note] = []
  var names: [Int: String] = [:]
  var isGrouped = true
  private var used = 0

  init(_ texts: [String] = [], isGrouped: Bool = false) {
    self.isGrouped = isGrouped
    for text in texts { add(Note(id: 0, rank: used, text: text)) }
  }

  mutating func add(_ note: Note) {
    used += 1
    notes.append(Note(id: used, group: note.group, rank: note.rank, text: note.text))
  }

  func key(_ note: Note) -> Key {
    Key(name: isGrouped ? name(note.group) : "", group: isGrouped ? note.group : 0, rank: note.rank, id: note.id)
  }

  func read(_ window: Window<Key>) -> Snapshot<Note> {
    let sorted = notes.sorted { key($0) < key($1) }
    let anchor = window.anchor.map { anchor in sorted.firstIndex { key($0) >= anchor } ?? sorted.count } ?? 0
    let range = max(0, anchor - window.before)..<min(sorted.count, anchor + window.after)
    return Snapshot(
      rows: Array(sorted[range]),
      sections: isGrouped ? sections(of: Array(sorted[range])) : nil,
      total: .exactly(notes.count),
      hasMoreBefore: range.lowerBound > 0,
      hasMoreAfter: range.upperBound < sorted.count
    )
  }

  /// One random edit.
  mutating func edit(_ dice: inout Dice) {
    let index = notes.isEmpty ? 0 : dice.below(notes.count)
    switch notes.isEmpty ? 0 : dice.below(12) {
    case 0...2: add(Note(id: 0, group: dice.below(5), rank: dice.below(30)))
    case 3...4: notes.remove(at: index)
    case 5...6: notes[index].text += "!"
    case 7...8: notes[index].rank = dice.below(30)
    case 9: notes[index].group = dice.below(5)
    case 10: names[dice.below(5)] = ["ash", "birch", "cedar", "oak"].randomElement(using: &dice)
    default: for _ in 0..<dice.below(8) { edit(&dice) }
    }
  }

  /// A window at a random key, which may have no row.
  func window(_ dice: inout Dice) -> Window<Key> {
    let anchor = Key(name: name(dice.below(5)), group: dice.below(5), rank: dice.below(30), id: 0)
    return Window(anchor: dice.below(4) == 0 ? nil : anchor, before: dice.below(8), after: dice.below(20))
  }

  private func name(_ group: Int) -> String { names[group] ?? "group \(group)" }

  private func sections(of rows: [Note]) -> [ListSection] {
    var sections: [ListSection] = []
    for (index, note) in rows.enumerated() {
      let count = notes.count { $0.group == note.group }
      let begin = sections.last?.id == "\(note.group)" ? sections.removeLast().rows.lowerBound : index
      sections.append(
        ListSection(id: "\(note.group)", name: name(note.group), count: .exactly(count), rows: begin..<index + 1)
      )
    }
    return sections
  }
}

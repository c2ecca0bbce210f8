/// The sections that stay still between two readings, and the rows that stay still in them.
struct KeptSections {
  /// The places of the sections that stay, in the old and in the new list, rising.
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// Whether the row at a place of the new list stays still.
  private(set) var still: [Bool]

  /// `rows` holds for each row of the new list its place in the old one.
  init(from old: [ListSection], to new: [ListSection], rows: [Int?]) {
    still = Array(repeating: false, count: rows.count)
    let pairing = Pairing(from: old.lazy.map(\.id), to: new.lazy.map(\.id))
    let candidates = pairing.old.enumerated().compactMap { index, place in
      place.map { Candidate(old: $0, new: index, rows: Self.rows(of: new[index], from: old[$0], rows)) }
    }
    // Fewest moved rows first, then most sections.
    let weights = candidates.map { $0.rows.count * (candidates.count + 1) + 1 }
    for index in Rise(in: candidates.map(\.old), of: old.indices, weights: weights).members {
      pairs.append((candidates[index].old, candidates[index].new))
      for place in candidates[index].rows { still[place] = true }
    }
  }

  /// A section of both lists, and those places in the new list whose rows stay still if the section does.
  private struct Candidate {
    let old: Int
    let new: Int
    let rows: [Int]
  }

  private static func rows(of new: ListSection, from old: ListSection, _ rows: [Int?]) -> [Int] {
    let stayed = new.rows.filter { rows[$0].map(old.rows.contains) ?? false }
    return Rise(in: stayed.compactMap { rows[$0] }, of: old.rows).members.map { stayed[$0] }
  }
}

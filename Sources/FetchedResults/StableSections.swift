/// The sections that do not move between two readings, and their rows that do not move.
struct StableSections {
  /// The indices of the sections that stay, in the old and in the new list, ascending.
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// Whether the row at an index of the new list does not move.
  private(set) var isStationary: [Bool]

  /// `rows` contains, for each row of the new list, its index in the old one.
  init(from old: [ListSection], to new: [ListSection], rows: [Int?]) {
    isStationary = Array(repeating: false, count: rows.count)
    let pairing = Pairing(from: old.lazy.map(\.id), to: new.lazy.map(\.id))
    let candidates = pairing.old.enumerated().compactMap { index, oldIndex in
      oldIndex.map { Candidate(old: $0, new: index, rows: Self.rows(of: new[index], from: old[$0], rows)) }
    }
    // Fewest moved rows first, then most sections.
    let weights = candidates.map { $0.rows.count * (candidates.count + 1) + 1 }
    for index in LongestIncreasingSubsequence(in: candidates.map(\.old), of: old.indices, weights: weights).members {
      pairs.append((candidates[index].old, candidates[index].new))
      for row in candidates[index].rows { isStationary[row] = true }
    }
  }

  /// A section of both lists, and the indices in the new list of the rows that do not move if the section does not.
  private struct Candidate {
    let old: Int
    let new: Int
    let rows: [Int]
  }

  private static func rows(of new: ListSection, from old: ListSection, _ rows: [Int?]) -> [Int] {
    let stayed = new.rows.filter { rows[$0].map(old.rows.contains) ?? false }
    return LongestIncreasingSubsequence(in: stayed.compactMap { rows[$0] }, of: old.rows).members.map { stayed[$0] }
  }
}

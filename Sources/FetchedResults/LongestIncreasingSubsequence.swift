/// The heaviest increasing subsequence of an array of positions: the elements that can stay when the others move.
///
/// Takes O(n log n) time.
struct LongestIncreasingSubsequence {
  /// The indices of the positions in the subsequence, ascending.
  let members: [Int]
  /// The sum of their weights.
  let weight: Int

  /// Finds the heaviest increasing subsequence.
  ///
  /// - Parameters:
  ///   - positions: Distinct numbers in `range`.
  ///   - range: The range of the positions.
  ///   - weights: The weight of each position, at least 1; nil means 1 each.
  init(in positions: [Int], of range: Range<Int>, weights: [Int]? = nil) {
    if zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) {
      members = Array(positions.indices)
      weight = weights?.reduce(0, +) ?? positions.count
      return
    }
    var heaviest = PrefixMaxima(count: range.count)
    var earlier = [Int?](repeating: nil, count: positions.count)
    for (index, position) in positions.enumerated() {
      let before = heaviest.peak(below: position - range.lowerBound)
      earlier[index] = before?.index
      let weight = (before?.weight ?? 0) + (weights?[index] ?? 1)
      heaviest.raise(position - range.lowerBound, to: RunEnd(weight: weight, index: index))
    }
    let peak = heaviest.peak(below: range.count)
    members = Array(sequence(first: peak?.index) { $0.map { earlier[$0] } }.compactMap(\.self).reversed())
    weight = peak?.weight ?? 0
  }
}

/// A subsequence, by its weight and the index of its last member.
private struct RunEnd {
  let weight: Int
  let index: Int
}

/// The heaviest subsequence that ends below any position: a Fenwick tree of maxima.
private struct PrefixMaxima {
  private var peaks: [RunEnd?]

  init(count: Int) { peaks = Array(repeating: nil, count: count + 1) }

  func peak(below position: Int) -> RunEnd? {
    var best: RunEnd?
    var node = position
    while node > 0 {
      if let peak = peaks[node], peak.weight > best?.weight ?? 0 { best = peak }
      node &= node - 1
    }
    return best
  }

  mutating func raise(_ position: Int, to peak: RunEnd) {
    var node = position + 1
    while node < peaks.count {
      if peak.weight > peaks[node]?.weight ?? 0 { peaks[node] = peak }
      node += node & -node
    }
  }
}

/// The heaviest rising run within a row of places: what can stay still when the others are taken out.
///
/// Its cost grows with n log n.
struct Rise {
  /// Which of the places are in the run, by index, rising.
  let members: [Int]
  /// What they weigh together.
  let weight: Int

  /// The run within places of a range, no two of them the same. Each weighs 1 where no weights are given; no weight is
  /// below 1.
  init(in places: [Int], of range: Range<Int>, weights: [Int]? = nil) {
    if zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) {
      members = Array(places.indices)
      weight = weights?.reduce(0, +) ?? places.count
      return
    }
    var heaviest = Peaks(count: range.count)
    var earlier = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      let before = heaviest.peak(below: place - range.lowerBound)
      earlier[index] = before?.index
      let weight = (before?.weight ?? 0) + (weights?[index] ?? 1)
      heaviest.raise(place - range.lowerBound, to: Peak(weight: weight, index: index))
    }
    let peak = heaviest.peak(below: range.count)
    members = Array(sequence(first: peak?.index) { $0.map { earlier[$0] } }.compactMap(\.self).reversed())
    weight = peak?.weight ?? 0
  }
}

/// A run by its weight and its last member.
private struct Peak {
  let weight: Int
  let index: Int
}

/// The heaviest run that ends below any place: a Fenwick tree of maxima.
private struct Peaks {
  private var peaks: [Peak?]

  init(count: Int) { peaks = Array(repeating: nil, count: count + 1) }

  func peak(below place: Int) -> Peak? {
    var best: Peak?
    var node = place
    while node > 0 {
      if let peak = peaks[node], peak.weight > best?.weight ?? 0 { best = peak }
      node &= node - 1
    }
    return best
  }

  mutating func raise(_ place: Int, to peak: Peak) {
    var node = place + 1
    while node < peaks.count {
      if peak.weight > peaks[node]?.weight ?? 0 { peaks[node] = peak }
      node += node & -node
    }
  }
}

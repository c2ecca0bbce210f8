/// How often something took how long, up to each of some bounds.
package struct Histogram: Sendable, Equatable {
  /// The bounds in seconds. What took longer than the last is counted, too.
  package static let bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  private var sum = 0.0

  /// A histogram of nothing.
  package init() {}

  /// Counts something.
  package mutating func add(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }

  /// The samples of a metric: up to each bound, all, and their sum.
  package func samples(_ labels: [(name: String, value: String)]) -> [Metric.Sample] {
    var total = 0
    var samples: [Metric.Sample] = []
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
      samples.append(.init(Double(total), labels + [("le", bound)], suffix: "_bucket"))
    }
    return samples + [.init(sum, labels, suffix: "_sum"), .init(Double(total), labels, suffix: "_count")]
  }
}

import FoundationEssentials

/// A part of a feed that is known to be missing.
package struct MissingPart: Sendable, Hashable {
  /// The interval above; nil if it begins at the feed's top.
  package let upper: CoverageInterval?
  /// The interval below; nil if nothing below is known.
  package let lower: CoverageInterval?
  /// Whether a pull was to read it and did not reach its goal.
  package let isUnfinished: Bool
  /// The date down to which that pull was to read.
  package let since: Date?

  /// What is missing of a feed.
  ///
  /// - Parameters:
  ///   - intervals: The feed's intervals, newest first.
  ///   - pulls: The unfinished pulls whose rest nobody has read, the latest first.
  /// - Returns: The missing parts, newest first.
  package static func all(between intervals: [CoverageInterval], and pulls: [UnfinishedPull]) -> [MissingPart] {
    var missing: [MissingPart] = []
    if let pull = pulls.first(where: { $0.interval == nil }) {
      missing.append(MissingPart(upper: nil, lower: intervals.first, isUnfinished: true, since: pull.goal.since))
    }
    for (index, interval) in intervals.enumerated() {
      let lower = intervals[(index + 1)...].first
      var isReported = false
      for pull in pulls where pull.interval?.id == interval.id {
        // Pulls that stopped at the same position share one part.
        if pull.isLowest, isReported { continue }
        let part = MissingPart(
          upper: pull.parts.last, lower: pull.isLowest ? lower : nil, isUnfinished: true, since: pull.goal.since)
        if !missing.contains(part) { missing.append(part) }
        isReported = isReported || pull.isLowest
      }
      if !isReported, let lower, !interval.isLinked(with: lower) {
        missing.append(MissingPart(upper: interval, lower: lower, isUnfinished: false, since: nil))
      }
    }
    return missing
  }
}

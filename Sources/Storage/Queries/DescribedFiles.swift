import Filters
import Gazetteer
import Glibc

// Terms about what files say of themselves.

extension Filter.Term {
  /// Whether it asks what a file says of itself.
  var isDescribing: Bool {
    switch key {
    case .camera, .taken, .near, .place, .country, .duration: true
    case .has: values == [.word("gps")]
    default: false
    }
  }

  /// The condition on the row `f` of `file_facts`.
  var describing: Clause { values.map { key.describing($0) }.enclosed(by: " OR ") }
}

extension FilterKey {
  /// How many towns of one name are asked for, the largest.
  private static let mostTowns = 10

  /// The names of cameras, each from the next place in an index: very many files name the same few.
  private static let cameras = """
    WITH RECURSIVE camera (name) AS (
      SELECT min(camera) FROM file_facts WHERE camera IS NOT NULL UNION ALL
      SELECT (SELECT min(f.camera) FROM file_facts f WHERE f.camera > c.name) FROM camera c WHERE c.name IS NOT NULL)
    """

  fileprivate func describing(_ value: FilterValue) -> Clause {
    switch (self, value) {
    case (.has, .word("gps")): return "f.latitude IS NOT NULL"
    case (.camera, .word(let name)):
      // lower() folds the letters of ASCII alone in one engine, and those of the parameter as the server's locale has it in the other.
      let part = name.storable.map { "%_\\".contains($0) ? "\\\($0)" : $0.isASCII ? $0.lowercased() : "\($0)" }.joined()
      return """
        f.camera IN (\(Self.cameras) SELECT name FROM camera WHERE lower(name) LIKE \(bind: "%\(part)%") ESCAPE '\\')
        """
    case (.taken, .date(let date)):
      return "f.taken_at >= \(bind: date.first) AND f.taken_at < \(bind: date.first + "~")"
    case (.near, .area(let area)): return area.clause
    case (.place, .word(let name)):
      return Gazetteer.shared.towns(named: name).prefix(Self.mostTowns)
        .map { FilterArea(around: $0).clause }.joined(by: " OR ")
    case (.country, .word(let code)): return "f.country = \(bind: code)"
    case (.duration, .number(let comparison, let seconds)):
      // Lengths are known in milliseconds, and asked for in whole seconds.
      let (start, end) = (min(seconds, 1_000_000_000_000) * 1000, min(seconds, 1_000_000_000_000) * 1000 + 1000)
      return switch comparison {
      case .equal: "f.duration >= \(bind: start) AND f.duration < \(bind: end)"
      case .less: "f.duration < \(bind: start)"
      case .atMost: "f.duration < \(bind: end)"
      case .atLeast: "f.duration >= \(bind: start)"
      case .more: "f.duration >= \(bind: end)"
      }
    default: return "1 = 0"
    }
  }
}

extension FilterDate {
  /// How all moments of it begin.
  fileprivate var first: String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    return ([padded(year, 4)] + [month, day].compactMap(\.self).map { padded($0, 2) }).joined(separator: "-")
  }
}

extension FilterArea {
  private static let metresPerDegree = 111_195.0

  /// The places in it: in a box that an index has, and in the circle within, on a plane that touches the earth there. Of
  /// distances up to some hundred kilometres that is as exact as anybody asks.
  fileprivate var clause: Clause {
    let degrees = Double(radius) / Self.metresPerDegree
    let narrowing = max(0.01, cos(latitude * .pi / 180))
    let (south, north) = (latitude - degrees, latitude + degrees)
    let width = degrees / narrowing
    // The way around the earth to a place may be the shorter one.
    let apart: Clause = "abs(f.longitude - \(bind: longitude))"
    let east: Clause = "CASE WHEN \(apart) > 180 THEN 360 - \(apart) ELSE \(apart) END"
    let box: Clause = "f.latitude >= \(bind: south) AND f.latitude <= \(bind: north)"
    return """
      (\(box) AND (\(east)) <= \(bind: width)
        AND (f.latitude - \(bind: latitude)) * (f.latitude - \(bind: latitude))
          + (\(east)) * (\(east)) * \(bind: narrowing * narrowing) <= \(bind: degrees * degrees))
      """
  }
}

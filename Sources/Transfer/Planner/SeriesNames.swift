import FoundationEssentials

/// The identities of the instances of a recurring event. One that was moved keeps that by which the library knows it.
struct SeriesNames {
  typealias Known = (uri: String, start: Date)

  private var names: [Date: String] = [:]
  /// What is without its counterpart yet, the earliest first.
  private var starts: [Date], entries: [Known]

  /// Pairs the instances with the entries of the library.
  ///
  /// - Parameters:
  ///   - event: The recurring event.
  ///   - starts: When its instances start, the earliest first.
  ///   - known: The entries that the library has of it, the earliest first.
  ///   - others: The identities of those that are no instances by its rules.
  init(of event: ICalendarSeries, at starts: [Date], known: [Known], except others: Set<String>) {
    self.starts = starts
    entries = known.filter { !others.contains($0.uri) }
    pair({ event.wholeURI(of: $0) }, \.uri)
    pair({ event.formerURI(of: $0) ?? "" }, \.uri)
    pair({ $0 }, \.start)
    let isMovedAsWhole = names.isEmpty
    pair({ event.day(of: $0) }, { event.day(of: $0.start) })
    // Entries that are in the file no more stay what they are, if others are where they were.
    if isMovedAsWhole { for (start, entry) in zip(self.starts, entries) { names[start] = entry.uri } }
    let isTaken = names.values.contains(event.entry.uri)
    for start in starts where names[start] == nil {
      names[start] = isTaken ? event.wholeURI(of: start) : event.uri(of: start)
    }
  }

  /// The identity of the instance at a time.
  subscript(start: Date) -> String { names[start] ?? "" }

  /// Pairs what has the same key.
  private mutating func pair<Key: Hashable>(_ key: (Date) -> Key, _ keyOfKnown: (Known) -> Key) {
    var found = Dictionary(entries.map { (keyOfKnown($0), $0.uri) }) { first, _ in first }
    var paired: Set<String> = []
    for start in starts {
      guard let uri = found.removeValue(forKey: key(start)) else { continue }
      names[start] = uri
      paired.insert(uri)
    }
    starts = starts.filter { names[$0] == nil }
    entries = entries.filter { !paired.contains($0.uri) }
  }
}

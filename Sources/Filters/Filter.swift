import Gazetteer

/// Which posts somebody wants to see: terms, and how they are combined.
///
/// A filter is a value: it knows no library. `Filter(parsing:)` reads what somebody typed, and `description` writes it back in
/// one spelling.
public indirect enum Filter: Sendable, Hashable {
  /// All of these match. Of none, every post does.
  case all([Filter])
  /// One of these matches.
  case any([Filter])
  /// This does not match.
  case not(Filter)
  /// A word, or several that follow each other, in the texts of a post.
  case words(Words)
  /// A fact of a post.
  case term(Term)

  /// What is searched for in the texts of a post.
  public struct Words: Sendable, Hashable {
    /// One word, or several that must follow each other.
    public let text: String
    /// Whether the last word may go on.
    public let isPrefix: Bool

    /// Words.
    public init(_ text: String, isPrefix: Bool = false) { (self.text, self.isPrefix) = (text, isPrefix) }
  }

  /// A key with the values that it may have.
  public struct Term: Sendable, Hashable {
    /// The fact.
    public let key: FilterKey
    /// One of these is enough.
    public let values: [FilterValue]

    /// A key and its values, of which there is at least one.
    public init(_ key: FilterKey, _ values: [FilterValue]) { (self.key, self.values) = (key, values) }

  }

  /// The most levels of a filter. SQLite reads a statement with a stack of a hundred entries.
  public static let mostLevels = 20

  /// The filter that all posts match.
  public static let everything = Filter.all([])

  /// All of some filters, without needless nesting.
  public static func conjunction(_ filters: [Filter]) -> Filter {
    let flat = filters.flatMap { filter in if case .all(let parts) = filter { parts } else { [filter] } }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// One of some filters, without needless nesting.
  public static func alternative(_ filters: [Filter]) -> Filter {
    let flat = filters.flatMap { filter in if case .any(let parts) = filter { parts } else { [filter] } }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  /// The opposite of a filter. The opposite of an opposite is the filter itself.
  public static func opposite(of filter: Filter) -> Filter {
    if case .not(let inner) = filter { inner } else { .not(filter) }
  }

  /// The filters that must all match.
  public var parts: [Filter] { if case .all(let parts) = self { parts } else { [self] } }

  /// Whether words stand anywhere in it.
  public var hasWords: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.hasWords)
    case .not(let inner): inner.hasWords
    case .words: true
    case .term: false
    }
  }

  /// Its words and terms, without those that it denies.
  public var sought: [Filter] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.sought)
    case .not: []
    case .words, .term: [self]
    }
  }

  /// The order that it asks for, as `sort:` names it; nil if it asks for none.
  public var order: String? {
    for case .term(let term) in parts where term.key == .sort {
      if case .word(let word)? = term.values.first { return word }
    }
    return nil
  }

  /// Whether it asks who may see posts. Its saved searches do not count.
  public var asksVisibility: Bool {
    terms.contains { $0.key == .visibility || $0.key == .is && $0.values.contains(.word("private")) }
  }

  /// Whether it asks what files say of themselves, which is known of those that were looked at.
  public var asksFacts: Bool {
    terms.contains {
      [.camera, .taken, .near, .place, .country].contains($0.key) || $0.key == .has && $0.values.contains(.word("gps"))
    }
  }

  /// Whether it asks for text in pictures, which is known of those that were looked at.
  public var asksText: Bool { terms.contains { $0.key == .has && $0.values.contains(.word("text")) } }

  /// The same with other names as values of a key.
  public func renaming(_ key: FilterKey, _ name: (String) throws -> String) rethrows -> Filter {
    try replacing(key) { if case .word(let word) = $0 { .word(try name(word)) } else { $0 } }
  }

  /// The same with other values of a key.
  package func replacing(_ key: FilterKey, _ other: (FilterValue) throws -> FilterValue) rethrows -> Filter {
    switch self {
    case .all(let parts): return .all(try parts.map { try $0.replacing(key, other) })
    case .any(let parts): return .any(try parts.map { try $0.replacing(key, other) })
    case .not(let inner): return .not(try inner.replacing(key, other))
    case .words: return self
    case .term(let term):
      guard term.key == key else { return self }
      var values: [FilterValue] = []
      for value in try term.values.map(other) where !values.contains(value) { values.append(value) }
      return .term(Term(key, values))
    }
  }

  /// How deep its parts lie within each other. What is denied lies no deeper.
  public var levels: Int {
    switch self {
    case .all(let parts), .any(let parts): 1 + (parts.map(\.levels).max() ?? 0)
    case .not(let inner): inner.levels
    case .words, .term: 0
    }
  }

  /// All terms in it, wherever they stand.
  public var terms: [Term] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    case .not(let inner): inner.terms
    case .words: []
    case .term(let term): [term]
    }
  }
}

/// A value of a key.
public enum FilterValue: Sendable, Hashable {
  /// How a number is compared.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case equal = "="
    case atLeast = ">="
    case more = ">"

    /// Whether a number compares so with another one.
    func holds(_ one: Int64, _ other: Int64) -> Bool {
      switch self {
      case .less: one < other
      case .atMost: one <= other
      case .equal: one == other
      case .atLeast: one >= other
      case .more: one > other
      }
    }
  }

  /// A name, or one of the words that a key knows.
  case word(String)
  /// A number in the key's smallest unit.
  case number(Comparison, Int64)
  /// A year, a month or a day.
  case date(FilterDate)
  /// A part of the earth.
  case area(FilterArea)
}

/// The places around another one.
public struct FilterArea: Sendable, Hashable {
  /// Degrees north of the equator.
  public let latitude: Double
  /// Degrees east of Greenwich.
  public let longitude: Double
  /// How far places may be away, in metres.
  public let radius: Int64

  private static let standardRadius: Int64 = 10_000
  // Distances are those of a map that touches the earth there.
  private static let mostRadius = 2_000_000.0

  /// The places around a town.
  package init(around town: Town) {
    (latitude, longitude, radius) = (town.latitude, town.longitude, town.radius)
  }

  /// `48.1,11.5,20km`; nil if it is no such text. Without a distance it is 10 km.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let latitude = Self.degrees(parts[0], 90),
      let longitude = Self.degrees(parts[1], 180)
    else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    guard parts.count == 3 else {
      radius = Self.standardRadius
      return
    }
    let unit: Double = parts[2].hasSuffix("km") ? 1000 : 1
    let digits = parts[2].prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard ["km", "m"].contains(parts[2].dropFirst(digits.count)), let number = Double(digits),
      (1...Self.mostRadius).contains(number * unit)
    else { return nil }
    radius = Int64(number * unit)
  }

  private static func degrees(_ text: Substring, _ most: Double) -> Double? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber || ".-".contains($0) }), let number = Double(text) else {
      return nil
    }
    // Some ten metres, and never an exponent where it is written.
    return abs(number) <= most ? (number * 10_000).rounded() / 10_000 : nil
  }

  /// As it is written.
  var text: String {
    "\(latitude),\(longitude),\(radius % 1000 == 0 ? "\(radius / 1000)km" : "\(radius)m")"
  }
}

/// A year, a month or a day of no particular time zone.
public struct FilterDate: Sendable, Hashable {
  /// The year.
  public let year: Int
  /// The month from 1; nil for the whole year.
  public let month: Int?
  /// The day from 1; nil for the whole month.
  public let day: Int?

  /// A date that a calendar has; nil for any other.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), month.map((1...12).contains) ?? true, day == nil || month != nil else {
      return nil
    }
    if let month, let day, !(1...Self.days(of: month, year)).contains(day) { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// `2026`, `2026-03` or `2026-03-14`.
  init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts[0].utf8.count == 4, parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    self.init(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

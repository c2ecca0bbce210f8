import Gazetteer

extension FilterKey {
  /// Reads a value of the key.
  func value(_ text: String) throws(FilterError) -> FilterValue {
    switch kind {
    case .name: return .word(text)
    case .choice(let words):
      guard let word = words.first(where: { $0 == text.lowercased() }) else {
        throw .unknownValue(text, self, nearest: Spelling.nearest(to: text, among: words))
      }
      return .word(word)
    case .number(let units):
      let comparison = Self.comparison(text)
      guard let number = Self.number(text.dropFirst(comparison.length), units) else { throw .noNumber(text, self) }
      guard self != .rating || Self.ratings.contains(where: { comparison.sign.holds($0, number) }) else {
        throw .noNumber(text, self)
      }
      return .number(comparison.sign, number)
    case .date:
      guard let date = FilterDate(text[...]) else { throw .noDate(text, self) }
      return .date(date)
    case .post:
      if Self.isIdentity(text) { return .word(text) }
      guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text) else {
        throw .noNumber(text, self)
      }
      return .number(.equal, number)
    case .area:
      guard let area = FilterArea(text) else { throw .noArea(text, self) }
      return .area(area)
    case .town:
      guard !Gazetteer.shared.towns(named: text).isEmpty else {
        // Names of another length are not like it.
        let names = Gazetteer.names.filter { abs($0.utf8.count - text.utf8.count) <= 2 }
        throw .noTown(text, self, nearest: Spelling.nearest(to: text.lowercased(), among: names))
      }
      return .word(text)
    case .country:
      guard let country = Gazetteer.shared.country(text) else {
        throw .noTown(
          text, self, nearest: Spelling.nearest(to: text.lowercased(), among: Gazetteer.shared.countryNames))
      }
      return .word(country.code)
    }
  }

  /// Whether a text names a post in every library: its source, a space, and its URI.
  private static func isIdentity(_ text: String) -> Bool {
    let parts = text.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  /// A value as it is written.
  func text(_ value: FilterValue) -> String {
    switch value {
    case .word(let word): return FilterText.value(word)
    case .area(let area): return area.text
    case .number(_, let number) where kind == .post: return "\(number)"
    case .number(let comparison, let number):
      let unit = units.last { number % $0.factor == 0 && number != 0 } ?? units[0]
      return (comparison == .equal ? "" : comparison.rawValue) + "\(number / unit.factor)\(unit.name)"
    case .date(let date):
      return [date.month, date.day].compactMap(\.self).reduce(Self.padded(date.year, 4)) {
        "\($0)-\(Self.padded($1, 2))"
      }
    }
  }

  private var units: [Unit] { if case .number(let units) = kind { units } else { [] } }

  private static let ratings = Int64(0)...5

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func comparison(_ text: String) -> (sign: FilterValue.Comparison, length: Int) {
    let found = FilterValue.Comparison.allCases.filter { text.hasPrefix($0.rawValue) }
    return found.max { $0.rawValue.count < $1.rawValue.count }.map { ($0, $0.rawValue.count) } ?? (.equal, 0)
  }

  /// `4000`, `1.5MB`: whole in the smallest unit.
  private static func number(_ text: Substring, _ units: [Unit]) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let unit = units.first(where: { $0.name.lowercased() == text.dropFirst(digits.count).lowercased() }) else {
      return nil
    }
    if let whole = Int64(digits) {
      let (number, isTooLarge) = whole.multipliedReportingOverflow(by: unit.factor)
      return isTooLarge ? nil : number
    }
    guard let part = Double(digits), part * Double(unit.factor) < 1e15 else { return nil }
    let number = part * Double(unit.factor)
    return number == number.rounded() ? Int64(number) : nil
  }
}

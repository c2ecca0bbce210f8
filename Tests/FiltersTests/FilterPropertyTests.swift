import Gazetteer
import PropertyTesting
import Testing

@testable import Filters

struct FilterPropertyTests {
  @Test(arguments: PropertyTest.seeds(sample: 500, whole: 20_000))
  func `a filter that is written is read as the same filter`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let filter = Self.filter(&dice, depth: 4)
    let text = filter.description
    #expect(try Filter(parsing: text) == filter, "\(text)")
    #expect(try Filter(parsing: text).description == text)
  }

  @Test(arguments: PropertyTest.seeds(sample: 500, whole: 20_000))
  func `any text is a filter with one spelling, or says why not`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    var bytes = Array(Self.filter(&dice, depth: 3).description.utf8)
    for _ in 0..<dice.below(6) { bytes.mutate(with: "()\"|-: \\*<>=OR\n", &dice) }
    let text = String(decoding: bytes, as: UTF8.self)
    if let filter = try? Filter(parsing: text) {
      #expect(try Filter(parsing: filter.description) == filter, "\(text) \(filter)")
      // What is finished is not ignored, but for a value that could go on.
      #expect(throws: Never.self) { try Filter(parsing: text, isUnfinished: true) }
    }
  }

  /// A filter without needless nesting, as the parser makes them.
  private static func filter(_ dice: inout Dice, depth: Int) -> Filter {
    switch dice.below(depth > 0 ? 8 : 3) {
    case 0: .words(Filter.Words(word(&dice), isPrefix: dice.below(2) == 0))
    case 1, 2: .term(term(&dice))
    case 3: .opposite(of: filter(&dice, depth: depth - 1))
    case 4, 5: .alternative((0..<dice.below(3) + 2).map { _ in filter(&dice, depth: depth - 1) })
    default: .conjunction((0..<dice.below(3) + 2).map { _ in filter(&dice, depth: depth - 1) })
    }
  }

  private static func term(_ dice: inout Dice) -> Filter.Term {
    // An order is that of a whole filter.
    let key = FilterKey.allCases.filter { $0 != .sort }.randomElement(using: &dice)!
    var values: [FilterValue] = []
    for _ in 0...dice.below(3) {
      let value = value(of: key, &dice)
      if !values.contains(value) { values.append(value) }
    }
    return Filter.Term(key, values)
  }

  private static func value(of key: FilterKey, _ dice: inout Dice) -> FilterValue {
    switch key.kind {
    case .name: .word(word(&dice))
    case .choice(let words): .word(words.randomElement(using: &dice)!)
    // Of ratings, only what some post can have is a filter.
    case .number where key == .rating:
      .number(FilterValue.Comparison.allCases.randomElement(using: &dice)!, Int64(dice.below(4)) + 1)
    case .number(let units):
      .number(
        FilterValue.Comparison.allCases.randomElement(using: &dice)!,
        Int64(dice.below(1_000)) * units.randomElement(using: &dice)!.factor)
    case .date: .date(date(&dice))
    case .post: .number(.equal, Int64(dice.below(1_000)))
    case .area:
      .area(
        FilterArea(
          "\(dice.below(181) - 90).\(dice.below(10_000)),-\(dice.below(180)).5,\(dice.below(2_000_000) + 1)m")
          ?? FilterArea("0,0")!)
    case .town: .word(Gazetteer.shared.towns.randomElement(using: &dice)!.name)
    case .country: .word(Gazetteer.shared.countries.randomElement(using: &dice)!.code)
    }
  }

  private static func date(_ dice: inout Dice) -> FilterDate {
    let month = dice.below(3) > 0 ? dice.below(12) + 1 : nil
    return FilterDate(
      year: dice.below(9_999) + 1, month: month, day: month != nil && dice.below(2) == 0 ? dice.below(28) + 1 : nil)!
  }

  private static let scalars = Array("ab猫é :|()\"\\-*<>=OR@.#/\u{301}\u{200D}\t\u{1B}".unicodeScalars)

  private static func word(_ dice: inout Dice) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0...dice.below(5) { text.append(scalars.randomElement(using: &dice)!) }
    // A phrase of spaces says nothing.
    return text.allSatisfy(\.properties.isWhitespace) ? "x" : String(text)
  }
}

import FoundationEssentials
import Machine

/// Who marks posts: a machine, and the program on it.
public struct Marker: Sendable, Hashable {
  /// A part of the program.
  public enum Program: String, Sendable, Hashable {
    /// The command line.
    case command
    /// The interactive list.
    case terminal
    /// The gallery.
    case gallery
    /// A rule, whose marks never replace those of a person.
    case rule
  }

  /// The name of the machine: letters, digits and hyphens.
  public let machine: String
  /// The program.
  public let program: Program

  /// A program on a machine.
  public init(machine: String, program: Program) {
    self.machine = String(machine.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    self.program = program
  }
}

/// When and by whom a mark was set, as a text that sorts as marks count:
/// `1 2026-11-28T02:14:17.000Z 00000000 3f9a2c1b`.
///
/// First stands whether a person set it, so that no rule replaces what a person did. Then stand the time, a counter and the
/// machine. Time and counter form a clock that never goes back, however the clocks of machines differ: each stamp comes after
/// all that the library has seen. https://cse.buffalo.edu/tech-reports/2014-04.pdf
struct MarkStamp: Sendable, Hashable {
  let text: String

  private static let setting = "mark-clock"
  private static let (clockStart, clockLength) = (2, 33)

  /// The stamp of a change in this transaction, which later ones come after.
  static func next(by marker: Marker, now: Date, in db: Database) throws -> MarkStamp {
    // Others on a server wait here until this transaction has ended.
    try db.run(
      "INSERT INTO setting (name, value) VALUES ($1, '') ON CONFLICT (name) DO UPDATE SET value = setting.value",
      [setting])
    let last: String? = try db.value("SELECT value FROM setting WHERE name = $1", [setting])
    let clock = clock(after: last ?? "", now: now)
    try db.run(Store.setting, [setting, clock])
    return MarkStamp(
      text: "\(marker.program == .rule ? 0 : 1) \(clock) \(marker.machine.isEmpty ? "-" : marker.machine)")
  }

  /// Lets the next stamps come after those of another library.
  static func raiseClock(to stamps: some Sequence<String>, in db: Database) throws {
    guard let highest = stamps.filter(isValid).map(clock(of:)).max() else { return }
    try db.run(
      """
      INSERT INTO setting (name, value) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > setting.value
      """, [setting, highest])
  }

  static func clock(after last: String, now: Date) -> String {
    let wall = UTC.text(now)
    guard last.utf8.count == clockLength, let moment = UTC.date(String(last.prefix(24))),
      let counter = UInt32(last.suffix(8), radix: 16), last.prefix(24) >= wall
    else { return "\(wall) 00000000" }
    guard counter < .max else { return "\(UTC.text(moment + 0.001)) 00000000" }
    let digits = String(counter + 1, radix: 16)
    return "\(last.prefix(24)) \(String(repeating: "0", count: 8 - digits.count))\(digits)"
  }

  private static func clock(of stamp: String) -> String { String(stamp.dropFirst(clockStart).prefix(clockLength)) }

  /// Whether a stamp from outside has the form by which it sorts.
  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, ["0", "1"].contains(parts[0]), parts[1].utf8.count == 24,
      UTC.date(String(parts[1])).map(UTC.text) == String(parts[1])
    else { return false }
    let isHex = parts[2].utf8.count == 8 && parts[2].allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    let isName =
      (1...64).contains(parts[3].utf8.count)
      && parts[3].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return isHex && isName
  }

  /// The time in a stamp; nil if it has another form.
  static func moment(_ stamp: String) -> Date? { isValid(stamp) ? UTC.date(String(clock(of: stamp).prefix(24))) : nil }

  /// Whether a machine set this stamp.
  static func isOf(_ marker: Marker, _ stamp: String) -> Bool { stamp.hasSuffix(" \(marker.machine)") }
}

import FoundationEssentials
import Machine

/// A format of dates, as of strftime(3), with the parts that are the same in every language.
struct TimeFormat {
  let text: String

  /// The parts, for people.
  static let known = "%Y, %m, %d, %H, %M, %S, %y and %%"

  init(_ text: String) { self.text = text.isEmpty ? "%Y-%m-%d" : text }

  /// The first part that is unknown.
  var firstUnknown: String? {
    var letters = text.unicodeScalars[...]
    while let next = letters.popFirst() {
      guard next == "%" else { continue }
      guard let letter = letters.popFirst() else { return "%" }
      if !"YmdHMSy%".unicodeScalars.contains(letter) { return "%\(letter)" }
    }
    return nil
  }

  /// A date in UTC: the same on every machine, so that a file keeps its name.
  func text(of date: Date) -> String {
    let whole = Array(UTC.text(date).utf8)
    func digits(_ range: Range<Int>) -> String { String(decoding: whole[range], as: UTF8.self) }
    var (result, letters) = ("", text.unicodeScalars[...])
    while let next = letters.popFirst() {
      guard next == "%", let letter = letters.popFirst() else {
        result.unicodeScalars.append(next)
        continue
      }
      switch letter {
      case "Y": result += digits(0..<4)
      case "y": result += digits(2..<4)
      case "m": result += digits(5..<7)
      case "d": result += digits(8..<10)
      case "H": result += digits(11..<13)
      case "M": result += digits(14..<16)
      case "S": result += digits(17..<19)
      default: result.unicodeScalars.append(letter)
      }
    }
    return result
  }
}

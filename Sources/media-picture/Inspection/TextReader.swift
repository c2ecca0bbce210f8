import Blobs
import CChafa
import CTesseract
import Pictures
import Posts
import Terminal

/// Reads the text that stands in a picture, by tesseract.
enum TextReader {
  /// Smaller pictures have no text that could be read.
  private static let shortestSide = 200
  /// Larger pictures are made smaller. Letters that are lost by it nobody would read on a screen.
  private static let mostPixels = 3_000_000.0
  /// Of pictures that are higher than wide, such as screens of phones and pages, lines are short and letters large. Wider
  /// ones are made smaller, which saves a third of the time. Measured: docs/decisions/text-in-pictures.md.
  private static let widestPage = 640.0
  /// Words of which tesseract is less sure are left out, in percent.
  private static let leastConfidence: Float = 60
  /// A picture with fewer words of some letters, or of which they are less than half, is taken for one without text: leaves
  /// and waves look like letters.
  private static let leastWords = 2
  /// The processor time for a picture: less than its limit, so that one that takes longer gives what was read until then.
  private static let seconds = 7

  /// What is read in the first picture of a file, upright; nil if there is no text.
  ///
  /// - Parameter languages: The names of the languages, as `TextLanguages` has them.
  static func text(of path: String, in languages: String?) throws(Refusal) -> PictureText? {
    guard let languages = languages.flatMap(TextLanguages.init) else { throw Refusal("no language is named") }
    let engine = try TextEngine.reading(languages)
    let pixels = try Decoding(size: reduced).pixels(PictureFile(path))
    guard min(pixels.width, pixels.height) >= shortestSide else { return nil }
    // Not every decoder makes a picture smaller.
    let size = reduced(pixels.width, pixels.height)
    let shades =
      size == (pixels.width, pixels.height) ? try pixels.shades() : try pixels.shades(size.width, size.height)
    let words = try engine.words(in: upright(shades), size.width, size.height, within: seconds)
    return text(of: words, size, by: engine.version)
  }

  /// The size at which a picture is read.
  private static func reduced(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    var factor = min(1, (mostPixels / Double(width * height)).squareRoot())
    if height > width { factor = min(factor, widestPage / Double(width)) }
    return factor < 1
      ? (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor))) : (width, height)
  }

  /// Dark letters on a light ground: light ones on a dark ground are read less well, and at twice the cost.
  private static func upright(_ shades: [UInt8]) -> [UInt8] {
    let sum = shades.reduce(0) { $0 + Int($1) }
    return sum < 110 * shades.count ? shades.map { 255 - $0 } : shades
  }

  private static func text(
    of words: [TextEngine.Word], _ size: (width: Int, height: Int), by engine: String
  ) -> PictureText? {
    var lines: [(text: String, box: TextEngine.Box)] = []
    var (count, real, all) = (0, 0, 0)
    for word in words where word.confidence >= leastConfidence {
      let text = SafeText(word.text).text.trimmingWhiteSpace
      let letters = text.count { $0.isLetter || $0.isNumber }
      guard letters > 0 else { continue }
      all += letters
      if isReal(text) { (count, real) = (count + 1, real + letters) }
      if let last = lines.last, last.box.line == word.box.line {
        let space = hasNoSpaces(last.text.last) && hasNoSpaces(text.first) ? "" : " "
        lines[lines.count - 1] = (last.text + space + text, last.box.joined(word.box))
      } else {
        lines.append((text, word.box))
      }
    }
    guard count >= leastWords, 2 * real >= all else { return nil }
    var found = PictureText(
      engine: engine, lines: lines.map { PictureText.Line($0.text.composed, box: $0.box.scaled(to: size)) })
    // The line of the protocol must hold it.
    while !found.lines.isEmpty, ((try? PictureProtocol.line(found))?.count ?? .max) > mostBytes {
      found.lines.removeLast(found.lines.count / 10 + 1)
    }
    return found.lines.isEmpty ? nil : found
  }

  /// Whether a letter is of a script that has no spaces between words: Chinese and Japanese, from their radicals on, not Korean.
  private static func hasNoSpaces(_ letter: Character?) -> Bool {
    guard let letter, letter.isLetter, let scalar = letter.unicodeScalars.first?.value else { return false }
    return scalar >= 0x2E80 && !(0xA000...0xD7FF).contains(scalar)
  }

  /// Whether it looks like a word: by three letters, or one of a script that has no spaces between words.
  private static func isReal(_ text: String) -> Bool {
    let letters = text.filter(\.isLetter)
    // From the radicals of Chinese on.
    return letters.count >= 3 || letters.unicodeScalars.contains { $0.value >= 0x2E80 }
  }

  private static let mostBytes = PictureText.mostBytes - 512
}

extension TextEngine.Box {
  /// The rectangle in the unit of `PictureText`.
  fileprivate func scaled(to size: (width: Int, height: Int)) -> [Int] {
    func part(_ pixels: Int32, of side: Int) -> Int {
      max(0, min(PictureText.whole, Int(pixels) * PictureText.whole / max(1, side)))
    }
    return [
      part(left, of: size.width), part(top, of: size.height), part(max(0, right - left), of: size.width),
      part(max(0, bottom - top), of: size.height),
    ]
  }
}

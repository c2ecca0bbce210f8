import Posts
import Terminal

/// Texts of metadata, which strangers wrote.
enum FactText {
  /// The most characters of a text.
  static let longest = 2000
  /// The most characters of a keyword.
  static let longestKeyword = 100
  /// The most bytes that are read of a text. A character may have many.
  private static let mostBytes = 64 << 10

  /// What cameras and programs write where nobody wrote a caption.
  private static let defaults: Set<String> = [
    "olympus digital camera", "sony dsc", "konica minolta digital camera", "minolta digital camera", "digital camera",
    "digital image", "samsung digital camera", "samsung camera pictures", "kodak digital still camera",
    "exif_jpeg_picture",
    "exif_jpeg_t422", "default", "dcim\\100media", "jpeg", "untitled", "dav", "sdr", "hdr", "rhdr", "edf", "cof", "ptr",
    "oznor", "mde", "lytro", "binary comment", "processed with vsco", "created by imovie",
  ]

  /// A text without what steers a terminal; nil if nothing is left.
  ///
  /// - Parameter most: The most characters.
  static func text(_ bytes: [UInt8]?, most: Int = longest) -> String? {
    guard let bytes else { return nil }
    let safe = SafeText(decoded(bytes.prefix(mostBytes)), keepingLines: true).text
    let text = String(safe.trimmingWhiteSpace.prefix(most)).trimmingWhiteSpace
    return text.isEmpty ? nil : text
  }

  /// A caption that somebody wrote; nil if a camera did.
  static func caption(_ bytes: [UInt8]?) -> String? {
    text(bytes).flatMap { defaults.contains($0.lowercased()) ? nil : $0 }
  }

  /// Maker and model of a camera, without the maker where the model repeats it.
  static func camera(make: [UInt8]?, model: [UInt8]?) -> String? {
    let (make, model) = (text(make, most: longestKeyword), text(model, most: longestKeyword))
    guard let make, let model else { return model ?? make }
    func firstWord(_ text: String) -> String { text.prefix { $0 != " " }.lowercased() }
    return firstWord(make) == firstWord(model) ? model : "\(make) \(model)"
  }

  /// Each keyword once, in their order.
  ///
  /// - Parameter most: The most keywords.
  static func keywords(_ values: [[UInt8]], most: Int) -> [String] {
    var keywords: [String] = []
    var known = Set<String>()
    for value in values where keywords.count < most {
      guard let keyword = text(value, most: longestKeyword), known.insert(keyword).inserted else { continue }
      keywords.append(keyword)
    }
    return keywords
  }

  /// The last part of an address of a vocabulary.
  static func term(_ bytes: [UInt8]?) -> String? {
    guard let address = text(bytes), let last = address.split(separator: "/").last else { return nil }
    let isTerm = last.utf8.count <= longestKeyword && last.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isTerm ? String(last) : nil
  }

  /// Text in UTF-8, or in Latin-1 if none of its other bytes are UTF-8: older programs write that.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let repaired = String(decoding: bytes, as: UTF8.self)
    let isOther = repaired.unicodeScalars.allSatisfy { $0.isASCII || $0 == "\u{FFFD}" }
    return isOther ? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) : repaired
  }
}

/// Suggestions for mistyped words.
package enum Spelling {
  /// The nearest candidate at most two edits away; nil if there is none.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.count <= 40 else { return nil }
    let measured = candidates.map { (name: $0, distance: distance(Array(word), Array($0))) }
    return measured.filter { $0.distance <= 2 && $0.distance < $0.name.count }.min { $0.distance < $1.distance }?.name
  }

  /// Text that a message may repeat: one line without control characters, at most `limit` characters.
  package static func printable(_ text: String, limit: Int = 40) -> String {
    let kept = text.unicodeScalars.prefix(limit * 4).map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: kept)
    return String(String(view).prefix(limit))
  }

  /// The Levenshtein distance.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for column in right.indices {
        let substituted = corner + (character == right[column] ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, corner + 1)
      }
    }
    return row[right.count]
  }
}

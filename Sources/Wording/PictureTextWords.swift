import Blobs

extension PictureText {
  /// What stands before the text, so that nobody takes it for the author's: `Text in the picture, read by tesseract 5.3.0:`.
  public var label: String { "Text in the picture, read by \(engine):" }

  /// The text on one line, for where the author described no picture, and marked as a machine's.
  ///
  /// - Parameter most: The most characters.
  public func suggestion(most: Int = 300) -> String {
    let text = lines.map(\.text).joined(separator: " ")
    return "Text read by a machine: " + (text.count > most ? "\(text.prefix(most))…" : text)
  }
}

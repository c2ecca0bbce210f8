/// The text that a program read in a picture.
///
/// A stranger made the picture, and a machine guessed. The text is limited in length and holds no control characters.
public struct PictureText: Codable, Sendable, Hashable {
  /// A line of text, and where in the picture it stands.
  public struct Line: Codable, Sendable, Hashable {
    /// The words, with single spaces between.
    public var text: String
    /// The left edge, the upper edge, the width and the height of its rectangle, in 10,000ths of the picture's width and
    /// height, as the picture is shown.
    public var box: [Int]

    /// A line from its parts.
    public init(_ text: String, box: [Int]) { (self.text, self.box) = (text, box) }

    fileprivate var isPlausible: Bool {
      !text.isEmpty && box.count == 4 && box.allSatisfy { (0...PictureText.whole).contains($0) }
    }
  }

  /// The width and the height of the picture in the unit of boxes.
  public static let whole = 10_000
  /// The most bytes of all lines.
  public static let mostBytes = 16 << 10

  /// The program and its version: `tesseract 5.3.0`.
  public var engine: String
  /// Its lines, as they are read.
  public var lines: [Line]

  /// A text from its parts.
  public init(engine: String, lines: [Line]) { (self.engine, self.lines) = (engine, lines) }

  /// The lines, one below another.
  public var text: String { lines.map(\.text).joined(separator: "\n") }

  /// Whether all parts are of the lengths and ranges that a text in a picture has.
  public var isPlausible: Bool {
    !lines.isEmpty && lines.reduce(0) { $0 + $1.text.utf8.count } <= Self.mostBytes && engine.utf8.count <= 100
      && lines.allSatisfy(\.isPlausible)
      && (lines.map(\.text) + [engine]).allSatisfy { text in
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      }
  }
}

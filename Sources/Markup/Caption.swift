/// Turns the HTML of a post's text into what a person reads.
///
/// The HTML comes from strangers: the work grows with the length alone, whatever stands in it, and nothing in it can fail.
public enum Caption {
  /// The most bytes of HTML that are read; what follows is left out.
  public static let longest = 1 << 20

  /// What is otherwise than on a page.
  public struct Options: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Runs of spaces and tabs stay, as on pages that show a text as it was typed.
    public static let keepsSpaces = Options(rawValue: 1)
    /// Tags whose text no page shows, such as `<script>`, are text: who typed them meant them so, and not every server
    /// escapes them.
    public static let showsHidden = Options(rawValue: 2)
    /// What stands in for a quotation where none is shown is left out: `<p class="quote-inline">RE: …</p>`.
    public static let leavesOutQuoteFallback = Options(rawValue: 4)
  }

  /// The text as a person reads it.
  ///
  /// Paragraphs are set apart by a blank line, `<br>` ends a line, list items begin with `- ` or their number, lines of
  /// a quote with `> `. A link reads as its text, the parts that Mastodon hides from the eye included, so that a URL
  /// stands whole. An image in the text (an emoji, mostly) reads as its `alt`. No-break spaces become spaces; control
  /// characters, comments, scripts and styles go. Text without any tag keeps its own line breaks.
  ///
  /// - Parameters:
  ///   - html: What the server sent.
  ///   - options: What is otherwise than on a page.
  public static func plainText(html: String, _ options: Options = []) -> String {
    var html = html
    return html.withUTF8 { bytes in
      let taken = UnsafeBufferPointer(rebasing: bytes.prefix(cut(bytes)))
      if isPlain(taken) { return String(decoding: taken, as: UTF8.self) }
      var writer = CaptionWriter(
        keepsLines: !taken.contains(UInt8(ascii: "<")), keepsSpaces: options.contains(.keepsSpaces),
        capacity: taken.count)
      HTMLScanner.scan(taken, options, into: &writer)
      return writer.text
    }
  }

  /// Where to stop reading: at most `longest`, never inside a character.
  private static func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard bytes.count > longest else { return bytes.count }
    var end = longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Whether the text stands for itself, which most of what is no HTML does.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    // C2 leads the no-break space and the second set of control characters.
    return first > 0x20 && last > 0x20
      && bytes.allSatisfy {
        $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x7F && $0 != 0xC2
          && ($0 >= 0x20 || $0 == UInt8(ascii: "\n"))
      }
  }
}

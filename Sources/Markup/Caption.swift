/// Converts the HTML of a post's text to plain text.
///
/// The HTML is untrusted: the work is linear in its length, whatever it contains, and nothing in it can cause a
/// failure.
public enum Caption {
  /// The maximum number of bytes of HTML that are read. The rest is dropped.
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
  /// A blank line separates paragraphs. `<br>` ends a line. List items begin with `- ` or their number, quoted lines
  /// with `> `. A link reads as its text, including the parts that Mastodon hides, so that URLs are complete. An image
  /// in the text (mostly an emoji) reads as its `alt`. No-break spaces become spaces. Control characters, comments,
  /// scripts and styles are removed. Text without tags keeps its line breaks.
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

  /// The length to read: at most `longest`, never ending inside a character.
  private static func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard bytes.count > longest else { return bytes.count }
    var end = longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Whether the text needs no conversion, as is the case for most text without HTML.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    // C2 is the first byte of the no-break space and of the C1 control characters.
    return first > 0x20 && last > 0x20
      && bytes.allSatisfy {
        $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x7F && $0 != 0xC2
          && ($0 >= 0x20 || $0 == UInt8(ascii: "\n"))
      }
  }
}

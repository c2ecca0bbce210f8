/// Markdown as Lemmy and PieFed read it (https://join-lemmy.org/docs/users/02-media.html), made readable: its signs go, what
/// stands between them stays, and pictures are taken out. The text is untrusted: the work is linear in its length.
struct Markdown {
  /// A picture in the text.
  struct Picture: Equatable {
    let address, alt: String
  }

  /// The text without signs and pictures. Quoted lines keep their `>`, list items their mark.
  private(set) var text = ""
  /// The pictures, in order.
  private(set) var pictures: [Picture] = []

  /// Reads a text; nothing for nil.
  init(_ source: String?) {
    guard var source = source.map({ Bounds.cut($0, bytes: Bounds.caption) }), !source.isEmpty else { return }
    source.withUTF8 { bytes in
      var reader = MarkdownReader(bytes)
      reader.read()
      (text, pictures) = (String(decoding: reader.plain, as: UTF8.self), reader.pictures)
    }
  }

  /// The tags in a plain text: `#` and a word that is no number, not within a word or an address.
  static func tags(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
    var tags: [String] = []
    var rest = text[...]
    while let mark = rest.firstIndex(of: "#"), tags.count < Bounds.tags {
      let word = rest[rest.index(after: mark)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let before = mark > text.startIndex ? text[text.index(before: mark)] : " "
      let isWithin = before.isLetter || before.isNumber || "/&#_=?".contains(before)
      if !isWithin, word.contains(where: \.isLetter), word.utf8.count <= Bounds.line { tags.append(String(word)) }
      rest = rest[max(word.endIndex, rest.index(after: mark))...]
    }
    return tags
  }
}

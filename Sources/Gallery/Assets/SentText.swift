/// A script or a stylesheet as it is sent: without the lines that are only comments, without leading blanks, and without the ends
/// of lines on which nothing depends.
///
/// Comments are a sixth of what a browser would load. Only whole lines go, so that nothing must be parsed: a comment after code
/// stays, and the tests hold that no text in the scripts goes on over lines.
enum SentText {
  /// Leaves comments, leading blanks and ends of lines out.
  static func bytes(of written: [UInt8]) -> [UInt8] {
    var (sent, isInComment) = ([UInt8](), false)
    for line in written.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      let begins = text.starts(with: "/*".utf8)
      if isInComment || begins {
        isInComment = !text.dropFirst(begins ? 2 : 0).ends(with: "*/".utf8)
      } else if !text.isEmpty, !text.starts(with: "//".utf8) {
        sent += text
        if !goesOn(text) { sent.append(UInt8(ascii: "\n")) }
      }
    }
    return sent
  }

  /// Whether a line may be one with the next. One that ends in a comment may not.
  private static func goesOn(_ line: ArraySlice<UInt8>) -> Bool {
    guard let last = line.last, ";{,(".utf8.contains(last) else { return false }
    return !zip(line, line.dropFirst()).contains { $0 == (UInt8(ascii: "/"), UInt8(ascii: "/")) }
  }
}

extension Collection<UInt8> {
  fileprivate func ends(with end: some Collection<UInt8>) -> Bool { suffix(end.count).elementsEqual(end) }
}

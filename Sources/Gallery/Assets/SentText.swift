/// A script or a stylesheet as it is sent: without the lines that are only comments, and without leading blanks.
///
/// Comments are a sixth of what a browser would load. Only whole lines go, so that nothing must be parsed: a comment after code
/// stays, and the tests hold that no text in the scripts goes on over lines.
enum SentText {
  /// Leaves comments and leading blanks out.
  static func bytes(of written: [UInt8]) -> [UInt8] {
    var (sent, isInComment) = ([UInt8](), false)
    for line in written.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      let begins = text.starts(with: "/*".utf8)
      if isInComment || begins {
        isInComment = !text.dropFirst(begins ? 2 : 0).ends(with: "*/".utf8)
      } else if !text.isEmpty, !text.starts(with: "//".utf8) {
        sent += text
        sent.append(UInt8(ascii: "\n"))
      }
    }
    return sent
  }
}

extension Collection<UInt8> {
  fileprivate func ends(with end: some Collection<UInt8>) -> Bool { suffix(end.count).elementsEqual(end) }
}

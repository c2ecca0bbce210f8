import Posts

/// The target of a request as it was sent (RFC 9112, 3.2), before anything reads it.
///
/// Every address of the gallery has one spelling. What else a path could be taken for, such as a folder above or another
/// host, is refused, so that no later code has to think of it.
enum RequestTarget {
  static let longest = 8192

  static func check(_ target: String) throws(RequestError) {
    guard target.utf8.count <= longest else { throw .longTarget }
    guard target.hasPrefix("/") else { throw .badTarget }
    // Only what RFC 3986 allows; a browser encodes everything else.
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}#"#.utf8.contains($0) }) else {
      throw .badTarget
    }
    try check(path: target.prefix { $0 != "?" })
  }

  private static func check(path: Substring) throws(RequestError) {
    var segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    // A share's page ends with a slash, after which its pictures are.
    if path.hasPrefix(ShareRoutes.prefix), segments.count == 3, segments[2].isEmpty { segments.removeLast() }
    for segment in segments {
      // `//host/` leads to another host where it is taken for a link, and `/blob/name/` would be a second spelling.
      guard !segment.isEmpty || segments.count == 1 else { throw .badTarget }
      // Overlong forms of a character are no UTF-8, and neither is half of one.
      guard let plain = String(segment).percentDecoded, plain != ".", plain != "..",
        plain.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") })
      else { throw .badTarget }
    }
  }

  /// Whether it is a target of this gallery that a page may send the browser to.
  static func isOwn(_ target: String) -> Bool { (try? check(target)) != nil }
}

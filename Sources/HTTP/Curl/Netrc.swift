import FoundationEssentials

/// Tells what libcurl does not: whether a file of logins has one for a host
/// (https://everything.curl.dev/usingcurl/netrc.html).
enum Netrc {
  /// Whether the file names the host, or has a login for every host.
  static func names(_ host: String, inFile path: String?) -> Bool {
    guard let path, let data = try? Data(contentsOf: URL(filePath: path)) else { return false }
    return names(host, in: String(decoding: data, as: UTF8.self))
  }

  static func names(_ host: String, in text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
    let words = lines.filter { !$0.hasPrefix("#") }.flatMap { $0.split(whereSeparator: \.isWhitespace) }
    return zip(words, words.dropFirst() + [""]).contains { word, next in
      word == "default" || word == "machine" && next.lowercased() == host.lowercased()
    }
  }
}

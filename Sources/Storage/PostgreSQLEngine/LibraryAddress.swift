import Posts

/// The address of a library in PostgreSQL: `postgresql://host/database?blobs=/mnt/pictures`.
///
/// It is libpq's URI with one parameter more. https://www.postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.6
public struct LibraryAddress: Sendable, Hashable {
  /// The variable that names a library for a program and for those that it starts.
  public static let variable = "MEDIA_LIBRARY"

  /// The address as it was given. It may hold a password.
  public let text: String
  /// What libpq connects to. It may hold a password.
  let connection: String
  /// Where the pictures are; nil if the address does not say.
  public let blobs: String?
  /// The address as people may see it: without a password.
  public let shown: String

  /// Whether a slash in the password cuts it off, so that libpq would look for another server.
  public let isCut: Bool

  /// Whether it holds a password.
  public var hasPassword: Bool { connection != shown }

  /// A name for files of this machine that belong to the library: nothing but letters, digits, points and hyphens. It is the
  /// same for each login and with any options, but those that say which server and which database it is.
  public var name: String {
    let parts = shown.drop { $0 != "/" }.dropFirst(2).split(separator: "?", maxSplits: 1)
    let base = parts.first ?? ""
    let login = base.prefix { $0 != "/" }.lastIndex(of: "@")
    let found = login.map { base[$0...].dropFirst() } ?? base
    let options = (parts.count > 1 ? parts[1] : "").split(separator: "&")
    let telling = options.filter { option in Self.telling.contains(String(option.prefix { $0 != "=" })) }.sorted()
    let text = ([found] + telling).joined(separator: "-").replacing(":5432", with: "")
    return String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." ? $0 : "-" })
  }

  /// The options that say which server and which database it is.
  private static let telling: Set = ["host", "hostaddr", "port", "dbname", "service"]

  /// Whether a text is meant as such an address, whether it is a right one or not.
  public static func isMeant(by text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Parses an address.
  ///
  /// - Parameter text: The address.
  /// - Returns: nil if the text begins otherwise.
  public init?(_ text: String) {
    guard Self.isMeant(by: text), let start = text.firstRange(of: "://")?.upperBound else { return nil }
    self.text = text
    // libpq ends user and password at the first @ before a slash, whatever else stands in them.
    let login = text[start...].prefix { $0 != "/" }.firstIndex(of: "@")
    let query = text[(login ?? start)...].firstIndex(of: "?")
    let base = text[..<(query ?? text.endIndex)]
    let pairs = query.map { text[$0...].dropFirst().split(separator: "&").map(String.init) } ?? []
    let value = { (pair: String) in pair.drop { $0 != "=" }.dropFirst() }
    blobs = pairs.last { $0.hasPrefix("blobs=") }.map { String(value($0)).percentDecoded ?? String(value($0)) }
    let settings = pairs.filter { !$0.hasPrefix("blobs=") }
    connection = Self.joined(base, settings)
    let cut = login == nil ? Self.cutPassword(text, from: start, before: query ?? text.endIndex) : nil
    isCut = cut != nil
    if let cut {
      shown = "\(text[..<cut.lowerBound])\(text[cut.upperBound...].prefix { $0 != "?" })"
    } else {
      shown = Self.joined(Self.withoutPassword(base, from: start), settings.filter { !Self.isSecret($0) })
    }
  }

  /// The option that says where the pictures are, as it is written in an address and in a shell.
  public static func option(blobs place: String) -> String {
    let bytes = place.utf8.map { byte in
      let isPlain = byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || (48...57).contains(byte)
      let written = String(byte, radix: 16, uppercase: true)
      return isPlain || "/:.,-_~+@=".utf8.contains(byte) ? [byte] : Array("%\(byte < 16 ? "0" : "")\(written)".utf8)
    }
    return "blobs=\(String(decoding: bytes.joined(), as: UTF8.self))"
  }

  private static func joined(_ base: some StringProtocol, _ pairs: [String]) -> String {
    pairs.isEmpty ? "\(base)" : "\(base)?\(pairs.joined(separator: "&"))"
  }

  /// libpq decodes names, too.
  private static func isSecret(_ pair: String) -> Bool {
    let name = String(pair.prefix { $0 != "=" })
    return ["password", "sslpassword"].contains(name.percentDecoded ?? name)
  }

  /// The password stands between the user's name and the last `@` before the path.
  private static func withoutPassword(_ base: Substring, from start: String.Index) -> String {
    guard let at = base[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return String(base) }
    let user = base[start..<at].prefix { $0 != ":" }
    return "\(base[..<start])\(user)\(base[at...])"
  }

  /// A password that libpq takes for a port and a path, since it has a slash, with the colon before it.
  private static func cutPassword(
    _ text: String, from start: String.Index, before query: String.Index
  ) -> Range<String.Index>? {
    let user = text[start...].prefix { $0 != "/" && $0 != "?" }
    // In brackets stands a host without a user.
    guard user.first != "[", let colon = user.firstIndex(of: ":") else { return nil }
    let afterPort = text[colon...].dropFirst().drop { $0.isASCII && $0.isNumber }
    let isPort = ["/", "?", ",", nil].contains(afterPort.first)
    // A parameter may have an @ of its own.
    let rest = isPort ? text[colon..<query] : text[colon...]
    return rest.lastIndex(of: "@").map { colon..<$0 }
  }
}

import FoundationEssentials

// The `RateLimit` field of the IETF drafts, a structured field (RFC 9651). Since
// draft-ietf-httpapi-ratelimit-headers-08 it is a list of policy names, each with the remaining requests (`r`) and the
// seconds until the window resets (`t`). In draft 7 it is a dictionary of `limit`, `remaining` and `reset`.
// `RateLimit-Policy` says what a policy allows.

extension RateLimit {
  /// The windows that the fields describe, except those that count something other than requests.
  static func structured(_ headers: Headers, _ now: Date) -> [Window] {
    let members = members(headers, "RateLimit")
    if members.isEmpty { return [] }
    if let window = dictionary(members, now) { return [window] }
    let policies = Dictionary(self.members(headers, "RateLimit-Policy").map { ($0.name, $0) }) { first, _ in first }
    return members.compactMap { member in
      let policy = policies[member.name]
      guard policy?["qu"].map({ $0 == "requests" }) ?? true, let remaining = count(member["r"]) else { return nil }
      return Window(remaining: remaining, limit: count(policy?["q"]), reset: time(member["t"], now))
    }
  }

  /// The form of draft 7; nil if the field has another form.
  private static func dictionary(_ members: [Member], _ now: Date) -> Window? {
    let values = Member(name: "", parameters: members.compactMap { Member.pair($0.name) })
    guard let remaining = count(values["remaining"]) else { return nil }
    return Window(remaining: remaining, limit: count(values["limit"]), reset: time(values["reset"], now))
  }

  private static func count(_ text: String?) -> Int? { text.flatMap(number).map { Int(min(max($0, 0), 1e9)) } }

  private static func time(_ text: String?, _ now: Date) -> Date? {
    text.flatMap(number).map { clamped($0, from: now) }
  }

  /// A list member with its parameters.
  private struct Member {
    let name: String
    let parameters: [(key: String, value: String)]

    subscript(key: String) -> String? { parameters.last { $0.key == key }?.value }

    static func pair(_ text: String) -> (key: String, value: String)? {
      guard let equals = text.firstIndex(of: "=") else { return nil }
      let value = text[text.index(after: equals)...].withoutSpaces
      return (text[..<equals].withoutSpaces.lowercased(), unquoted(value))
    }

    static func unquoted(_ text: String) -> String {
      text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    }
  }

  /// The maximum size of a field in bytes, and its maximum number of members.
  private static let longest = 4096
  private static let mostMembers = 16

  private static func members(_ headers: Headers, _ name: String) -> [Member] {
    let text = headers.all(name).joined(separator: ",")
    guard !text.isEmpty, text.utf8.count <= longest else { return [] }
    return split(text, at: ",").prefix(mostMembers).map { member in
      let parts = split(member, at: ";").map { $0.withoutSpaces }
      return Member(name: Member.unquoted(parts.first ?? ""), parameters: parts.dropFirst().compactMap(Member.pair))
    }
  }

  /// The parts between separators. Separators within quotation marks do not count.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var (parts, isQuoted, isEscaped) = ([""], false, false)
    for character in text {
      if character == separator, !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}

extension StringProtocol {
  fileprivate var withoutSpaces: String {
    let rest = drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }
}

import FoundationEssentials

extension Headers {
  /// The seconds for which an answer stays fresh (RFC 9111, 4.2.1 and 4.2.3): `max-age` less the `Age` that caches
  /// report, or else `Expires` by the server's own clock.
  ///
  /// - Returns: nil if the answer is no longer fresh, has to be revalidated each time, or does not say.
  public func freshness(now: Date) -> TimeInterval? {
    let directives = all("Cache-Control").joined(separator: ",").lowercased().split(separator: ",")
      .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
    if directives.contains("no-store") || directives.contains("no-cache") { return nil }
    let seconds: TimeInterval?
    if let age = directives.first(where: { $0.hasPrefix("max-age=") }) {
      seconds = Self.seconds(age.dropFirst("max-age=".count)).map { $0 - (self["Age"].flatMap(Self.seconds) ?? 0) }
    } else {
      let serverTime = self["Date"].flatMap(HTTPDate.read) ?? now
      seconds = self["Expires"].flatMap(HTTPDate.read)?.timeIntervalSince(serverTime)
    }
    return seconds.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Parses a plain whole number, the form of `delta-seconds` (RFC 9111, 1.2.2).
  private static func seconds(_ text: some StringProtocol) -> TimeInterval? {
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return TimeInterval(text)
  }
}

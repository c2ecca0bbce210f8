// What people paste: a code with white space around and inside it, a code with the state behind it, the whole address
// of the page they ended on.

import HTTP
import Posts

/// What a pasted text says.
enum PastedCode: Equatable {
  /// A code, and the state and the issuer (RFC 9207) where they came along.
  case code(Secret, state: Secret?, issuer: String? = nil)
  /// The page said no: `access_denied`.
  case denied
  /// Only white space.
  case empty
  /// No code: too long, or an address without one.
  case nonsense

  /// Real codes have a few dozen characters, those of some servers a thousand.
  static let limit = 8192

  /// Reads a pasted text.
  init(_ pasted: String) {
    guard pasted.utf8.count <= Self.limit else { self = .nonsense; return }
    var text = Self.compacted(pasted)
    // Some servers put this behind the address of the page, and people copy it with the code.
    if text.hasSuffix("#_=_") { text.removeLast(4) }
    guard !text.isEmpty else { self = .empty; return }
    let starts = ["code=", "state=", "error="]
    let isAddress = text.contains("://") || starts.contains { text.contains("?\($0)") }
    let named = isAddress || starts.contains { text.hasPrefix($0) }
    let fields = named ? Self.fields(isAddress ? Self.query(of: text) : text) : Self.bare(text)
    if let error = fields["error"], !error.isEmpty { self = .denied; return }
    guard let code = fields["code"], !code.isEmpty, code.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      self = .nonsense
      return
    }
    self = .code(Secret(code), state: fields["state"].flatMap { $0.isEmpty ? nil : Secret($0) }, issuer: fields["iss"])
  }

  /// Without white space, control characters and what else has no width: terminals wrap, and some bracket a paste.
  private static func compacted(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    let unbracketed = text.replacing("\u{1B}[200~", with: "").replacing("\u{1B}[201~", with: "")
    kept.append(
      contentsOf: unbracketed.unicodeScalars.filter {
        !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
      }
    )
    return String(kept)
  }

  private static func query(of address: String) -> String {
    let whole = address.prefix { $0 != "#" }
    return whole.firstIndex(of: "?").map { String(whole[whole.index(after: $0)...]) } ?? ""
  }

  /// A code as the page shows it, the state behind it where the server's page adds one.
  private static func bare(_ text: String) -> [String: String] {
    let parts = text.split(separator: "&", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return fields(parts.count > 1 ? parts[1] : "").merging(["code": parts[0]]) { _, code in code }
  }

  /// The fields of a query, decoded; the first of a name counts.
  private static func fields(_ query: String) -> [String: String] {
    let pairs = query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (sides[0], sides.count > 1 ? sides[1].percentDecoded ?? "" : "")
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

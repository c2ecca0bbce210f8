/// What an API says is wrong: `{"error": …}` with an `error_description` that says more (RFC 6749, 5.2;
/// https://docs.joinmastodon.org/entities/Error/), or one line of words, as Takahē's "Invalid Bearer token".
public struct StatedError: Equatable, Sendable {
  /// The error itself, often one word.
  public let code: String?
  /// What is said of it.
  public let description: String?

  /// What says more.
  public var reason: String? { description ?? code }

  /// Reads an answer's body; says nothing where that holds no words of an error. Longer bodies are web pages and dumps.
  public init(in body: [UInt8]) {
    let fields = body.count <= 64 << 10 ? JSONObject(body) : nil
    code = (fields?.string("error") ?? (fields == nil ? Self.sentence(body) : nil)).flatMap { $0.isEmpty ? nil : $0 }
    description = fields?.string("error_description").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A body that is one line of words.
  private static func sentence(_ body: [UInt8]) -> String? {
    guard body.count <= 200, let text = String(validating: body, as: UTF8.self) else { return nil }
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count == 1, let start = lines[0].firstIndex(where: { !$0.isWhitespace }) else { return nil }
    let line = lines[0][start...]
    guard line[start].isLetter, !line.contains(where: { "<>{}".contains($0) }) else { return nil }
    return String(line.reversed().drop(while: \.isWhitespace).reversed())
  }
}

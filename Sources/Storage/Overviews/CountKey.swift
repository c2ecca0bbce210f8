/// How tags and authors with their counts are ordered.
public enum CountOrder: String, Sendable, Hashable, CaseIterable {
  /// Most posts first; equal counts by name.
  case count
  /// By name, without regard to case.
  case name
}

/// The position of a tag or an author in a list with counts. It is opaque; its text can be stored and sent.
public struct CountKey: Sendable, Hashable, LosslessStringConvertible {
  let count: Int
  let id: Int64
  let name: String

  package init(count: Int, id: Int64, name: String) { (self.count, self.id, self.name) = (count, id, name) }

  /// Parses a key; nil if the text is not one.
  public init?(_ description: String) {
    // Split by bytes: a name may begin with a character that combines with the mark before it.
    let slash = UInt8(ascii: "/")
    let parts = description.utf8.split(separator: slash, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 3, let count = Int(parts[0]), let id = Int64(parts[1]), count >= 0 else { return nil }
    self.init(count: count, id: id, name: parts[2])
    guard self.description == description else { return nil }
  }

  /// The key as text.
  public var description: String { "\(count)/\(id)/\(name)" }
}

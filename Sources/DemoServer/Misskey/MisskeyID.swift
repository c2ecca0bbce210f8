/// Ids as Misskey has them: letters and digits that sort by time.
enum MisskeyID {
  private static let length = 13

  static func text(_ id: Int64) -> String {
    let digits = String(id, radix: 36)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
  }

  /// The number; nil if the text is no id.
  static func number(_ text: String) -> Int64? { Int64(text, radix: 36) }
}

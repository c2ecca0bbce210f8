import FoundationEssentials

/// What asks a terminal to copy a text (OSC 52). Many terminals do, some after a question, some never; none says which.
enum Clipboard {
  // xterm and tmux take no more than some 75,000 bytes.
  private static let longest = 50_000

  /// The sequence; nothing for a text that is too long. tmux takes it for itself where it was told to, and hands it on
  /// where it was told that.
  static func bytes(copying text: Inert, throughTmux: Bool) -> [UInt8] {
    guard text.text.utf8.count <= longest else { return [] }
    let sequence = Array("\u{1B}]52;c;\(Data(text.text.utf8).base64EncodedString())\u{1B}\\".utf8)
    return throughTmux ? sequence + Passthrough.tmux(sequence) : sequence
  }
}

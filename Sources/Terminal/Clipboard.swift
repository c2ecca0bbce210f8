import FoundationEssentials

/// The sequence that has a terminal copy a text (OSC 52). Many terminals copy it, some after a question, some never. No
/// terminal reports which.
enum Clipboard {
  // xterm and tmux accept at most about 75,000 bytes.
  private static let longest = 50_000

  /// The sequence; empty if the text is too long. By its configuration, tmux copies the text itself, passes the sequence
  /// on, or both.
  static func bytes(copying text: SafeText, throughTmux: Bool) -> [UInt8] {
    guard text.text.utf8.count <= longest else { return [] }
    let sequence = Array("\u{1B}]52;c;\(Data(text.text.utf8).base64EncodedString())\u{1B}\\".utf8)
    return throughTmux ? sequence + Passthrough.tmux(sequence) : sequence
  }
}

/// The way through tmux to the terminal around it. tmux opens it only where `allow-passthrough` is on.
public enum Passthrough {
  /// Each escape sequence of `bytes` wrapped for itself: tmux drops what is longer than its buffer.
  public static func tmux(_ bytes: [UInt8]) -> [UInt8] {
    var wrapped: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let sequence = next(&rest)
      wrapped += Array("\u{1B}Ptmux;".utf8)
      for byte in sequence { wrapped += byte == 0x1B ? [byte, byte] : [byte] }
      wrapped += Array("\u{1B}\\".utf8)
    }
    return wrapped
  }

  /// To the end of a string (ST), or all there is.
  private static func next(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var place = rest.startIndex
    while let escape = rest[place...].dropFirst().firstIndex(of: 0x1B), escape + 1 < rest.endIndex {
      place = escape
      guard rest[escape + 1] == UInt8(ascii: "\\") else { continue }
      defer { rest = rest[(escape + 2)...] }
      return rest[...(escape + 1)]
    }
    defer { rest = [] }
    return rest
  }
}

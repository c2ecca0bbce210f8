/// Passes sequences through tmux to the outer terminal. tmux does this only if `allow-passthrough` is on.
public enum Passthrough {
  /// Wraps each escape sequence of `bytes` separately, because tmux drops sequences that are longer than its buffer.
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

  /// Removes and returns the bytes up to the end of a string (ST), or all.
  private static func next(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var position = rest.startIndex
    while let escape = rest[position...].dropFirst().firstIndex(of: 0x1B), escape + 1 < rest.endIndex {
      position = escape
      guard rest[escape + 1] == UInt8(ascii: "\\") else { continue }
      defer { rest = rest[(escape + 2)...] }
      return rest[...(escape + 1)]
    }
    defer { rest = [] }
    return rest
  }
}

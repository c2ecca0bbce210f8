/// Misskey's markup for text (https://misskey-hub.net/en/docs/for-users/features/mfm/), made readable: its signs go, and
/// what stands between them stays. The text is untrusted: the work is linear in its length.
enum MFM {
  /// The text without `$[function …]`, bold and struck-out marks, the addresses behind links, and layout tags. A sign
  /// without its other half stays. Code is not changed.
  static func plainText(_ text: String?) -> String {
    guard var text = text.map({ Bounds.cut($0, bytes: Bounds.caption) }) else { return "" }
    let plain = text.withUTF8 { bytes -> [UInt8]? in
      guard bytes.contains(where: isSign) else { return nil }
      var reader = Reader(bytes)
      reader.read()
      return reader.plain
    }
    return plain.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "<")
  }

  /// Finds the signs to drop.
  private struct Reader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    /// The parts of the text that go.
    private var dropped: [Range<Int>] = []
    /// Where brackets opened: the sign before the content, and whether it is a function's.
    private var brackets: [(sign: Range<Int>, isFunction: Bool)] = []
    /// Where a mark or a tag waits for its other half, by its first byte or its name.
    private var open: [String: Range<Int>] = [:]

    private static let tags = ["b", "i", "s", "small", "center", "plain"]

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The text without what was dropped.
    var plain: [UInt8] {
      var plain: [UInt8] = []
      plain.reserveCapacity(bytes.count)
      var start = 0
      for range in dropped.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= start {
        plain += bytes[start..<range.lowerBound]
        start = range.upperBound
      }
      return plain + bytes[start...]
    }

    mutating func read() {
      while offset < bytes.count {
        switch bytes[offset] {
        case UInt8(ascii: "`"): skipCode()
        case UInt8(ascii: "$"): openFunction()
        case UInt8(ascii: "["):
          let isSilent = offset > 0 && bytes[offset - 1] == UInt8(ascii: "?")
          brackets.append(((isSilent ? offset - 1 : offset)..<offset + 1, false))
          offset += 1
        case UInt8(ascii: "]"): closeBracket()
        case UInt8(ascii: "*"): mark("**")
        case UInt8(ascii: "~"): mark("~~")
        case UInt8(ascii: "<"): tag()
        default: offset += 1
        }
      }
    }

    private func has(_ text: String, at offset: Int) -> Bool {
      offset + text.utf8.count <= bytes.count
        && bytes[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
    }

    /// Passes over code, up to the same number of backticks; inline code ends on its line.
    private mutating func skipCode() {
      let isBlock = has("```", at: offset)
      let length = isBlock ? 3 : 1
      var end = offset + length
      while end < bytes.count {
        if isBlock ? has("```", at: end) : bytes[end] == UInt8(ascii: "`") {
          offset = end + length
          return
        }
        if !isBlock, bytes[end] == UInt8(ascii: "\n") { break }
        end += 1
      }
      offset += length
    }

    /// `$[tada.speed=5s text]`: the sign goes up to the space if the bracket closes.
    private mutating func openFunction() {
      guard has("$[", at: offset) else {
        offset += 1
        return
      }
      var end = offset + 2
      while end < bytes.count, Self.isInName(bytes[end]) { end += 1 }
      let isFunction = end > offset + 2 && end < bytes.count && bytes[end] == UInt8(ascii: " ")
      brackets.append((offset..<(isFunction ? end + 1 : offset + 2), isFunction))
      offset = isFunction ? end + 1 : offset + 2
    }

    private static func isInName(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "="),
        UInt8(ascii: ","), UInt8(ascii: "-"):
        true
      default: false
      }
    }

    /// Ends a function, or the text of a link, behind which the address goes.
    private mutating func closeBracket() {
      let end = offset + 1
      offset = end
      guard let (sign, isFunction) = brackets.popLast() else { return }
      if isFunction {
        dropped += [sign, end - 1..<end]
      } else if let address = address(from: end) {
        dropped += [sign, end - 1..<address]
        offset = address
      }
    }

    /// Where `(https://…)` ends; nil if there is none. A bracket ends the search, so that no part is read twice.
    private func address(from start: Int) -> Int? {
      guard has("(http", at: start) || has("(<http", at: start) else { return nil }
      var depth = 0
      for offset in start..<bytes.count {
        switch bytes[offset] {
        case ...0x20, UInt8(ascii: "["), UInt8(ascii: "]"): return nil
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"):
          depth -= 1
          if depth == 0 { return offset + 1 }
        default: continue
        }
      }
      return nil
    }

    /// A pair of marks goes.
    private mutating func mark(_ text: String) {
      guard has(text, at: offset) else {
        offset += 1
        return
      }
      pair(text, offset..<offset + 2, isFirst: open[text] == nil)
    }

    /// A pair of tags goes.
    private mutating func tag() {
      let isEnd = has("</", at: offset)
      let start = offset + (isEnd ? 2 : 1)
      guard let name = Self.tags.first(where: { has("\($0)>", at: start) }) else {
        offset += 1
        return
      }
      pair(name, offset..<start + name.utf8.count + 1, isFirst: !isEnd)
    }

    private mutating func pair(_ name: String, _ sign: Range<Int>, isFirst: Bool) {
      offset = sign.upperBound
      if isFirst {
        open[name] = sign
      } else if let first = open.removeValue(forKey: name) {
        dropped += [first, sign]
      }
    }
  }
}

/// Takes a terminal's answers out of what comes from it, in whatever pieces it comes. What is no answer is what the
/// person typed meanwhile: not a byte of it is lost, and no answer is ever taken for keys.
public struct AnswerReader: Sendable {
  /// What was answered until now.
  public private(set) var answers = TerminalAnswers()
  /// What was typed meanwhile, in order.
  public private(set) var typed: [UInt8] = []
  private var open: [UInt8] = []

  private static let escape: UInt8 = 0x1B
  private static let cell = Array("6;".utf8)
  // Longer than any answer: what goes on beyond it was never one.
  private static let longest = 1024

  /// A reader that has read nothing.
  public init() {}

  /// Reads on.
  public mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { read(byte) }
  }

  /// Ends the reading: what had only begun was typed, such as the Escape key. An answer of which the end is missing is
  /// no key, and goes.
  public mutating func finish() {
    leave(open)
    open = []
  }

  private mutating func read(_ byte: UInt8) {
    guard !open.isEmpty || byte == Self.escape else { return typed.append(byte) }
    // The Escape key may be typed right before an answer comes.
    if byte == Self.escape, !Self.isString(open) {
      leave(open)
      open = []
    }
    open.append(byte)
    switch Self.reach(of: open) {
    case .goesOn where open.count < Self.longest: break
    case .answer:
      take(open)
      open = []
    default: breakOff()
    }
  }

  /// What was read is no answer; but in the midst of one that was cut off another may have begun.
  private mutating func breakOff() {
    let bytes = open
    open = []
    guard let last = bytes.dropFirst().lastIndex(of: Self.escape) else {
      typed += bytes
      return
    }
    leave(Array(bytes[..<last]))
    read(bytes[last...])
  }

  /// Leaves what goes no further. Of what only answers begin with nothing is typed.
  private mutating func leave(_ bytes: [UInt8]) {
    let body = bytes.dropFirst(2)
    let isAnswer =
      Self.isString(bytes) ? !body.isEmpty : body.first == UInt8(ascii: "?") || body.starts(with: Self.cell)
    if !isAnswer { typed += bytes }
  }

  private enum Reach { case goesOn, answer, other }

  /// Whether it began as APC or DCS do.
  private static func isString(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && (bytes[1] == UInt8(ascii: "_") || bytes[1] == UInt8(ascii: "P"))
  }

  private static func reach(of bytes: [UInt8]) -> Reach {
    guard bytes.count >= 2 else { return .goesOn }
    switch bytes[1] {
    case UInt8(ascii: "["): return control(bytes.dropFirst(2))
    case UInt8(ascii: "_"): return string(bytes, beginning: "G")
    case UInt8(ascii: "P"): return string(bytes, beginning: ">|")
    default: return .other
    }
  }

  /// `ESC [ ? … c` and `ESC [ 6 ; … t`; all other controls are keys, the mouse, or what was pasted.
  private static func control(_ bytes: ArraySlice<UInt8>) -> Reach {
    guard let last = bytes.last else { return .goesOn }
    if isParameter(last) { return .goesOn }
    switch last {
    case UInt8(ascii: "c") where bytes.first == UInt8(ascii: "?"): return .answer
    case UInt8(ascii: "t") where bytes.starts(with: cell): return .answer
    default: return .other
    }
  }

  private static func isParameter(_ byte: UInt8) -> Bool { (0x30...0x3F).contains(byte) }

  private static func string(_ bytes: [UInt8], beginning: String) -> Reach {
    let body = bytes.dropFirst(2)
    guard zip(body, beginning.utf8).allSatisfy(==) else { return .other }
    guard let end = body.firstIndex(where: { $0 < 0x20 }) else { return .goesOn }
    guard bytes[end] == escape else { return .other }
    if end + 1 == bytes.endIndex { return .goesOn }
    return bytes[end + 1] == UInt8(ascii: "\\") ? .answer : .other
  }

  private mutating func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    switch bytes[1] {
    case UInt8(ascii: "_"): answers.kitty = text.hasPrefix("Gi=31") && text.dropLast(2).hasSuffix(";OK")
    case UInt8(ascii: "P"): answers.version = Inert(text.dropFirst(2).dropLast(2)).prefix(100).text
    default: takeNumbers(text)
    }
  }

  private mutating func takeNumbers(_ text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    if text.hasSuffix("c") {
      answers.attributes = numbers
    } else if numbers.count == 3 {
      let cell = CellSize(width: numbers[2], height: numbers[1])
      if cell.isPlausible { answers.cell = cell }
    }
  }
}

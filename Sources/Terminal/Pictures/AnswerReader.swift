/// Separates a terminal's answers from what the person typed meanwhile. The input may be split anywhere. No typed byte is
/// lost, and no answer becomes a key.
public struct AnswerReader: Sendable {
  /// The answers so far.
  public private(set) var answers = TerminalAnswers()
  /// The typed bytes, in order.
  public private(set) var typed: [UInt8] = []
  private var pending: [UInt8] = []

  private static let escape: UInt8 = 0x1B
  private static let cell = Array("6;".utf8)
  // Longer than any answer: a longer sequence is none.
  private static let longest = 1024

  /// A reader that has read nothing.
  public init() {}

  /// Reads more bytes.
  public mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { read(byte) }
  }

  /// Ends reading. An incomplete sequence was typed, such as the Escape key. An incomplete answer is dropped, because it
  /// is not a key.
  public mutating func finish() {
    flush(pending)
    pending = []
  }

  private mutating func read(_ byte: UInt8) {
    guard !pending.isEmpty || byte == Self.escape else { return typed.append(byte) }
    // The Escape key may be typed right before an answer comes.
    if byte == Self.escape, !Self.isString(pending) {
      flush(pending)
      pending = []
    }
    pending.append(byte)
    switch Self.progress(of: pending) {
    case .incomplete where pending.count < Self.longest: break
    case .answer:
      consume(pending)
      pending = []
    default: resynchronize()
    }
  }

  /// Handles bytes that are not an answer. Another answer may have begun inside one that was cut off.
  private mutating func resynchronize() {
    let bytes = pending
    pending = []
    guard let last = bytes.dropFirst().lastIndex(of: Self.escape) else {
      typed += bytes
      return
    }
    flush(Array(bytes[..<last]))
    read(bytes[last...])
  }

  /// Handles an incomplete sequence: it was typed, unless only answers begin like it.
  private mutating func flush(_ bytes: [UInt8]) {
    let body = bytes.dropFirst(2)
    let isAnswer =
      Self.isString(bytes) ? !body.isEmpty : body.first == UInt8(ascii: "?") || body.starts(with: Self.cell)
    if !isAnswer { typed += bytes }
  }

  private enum Progress { case incomplete, answer, other }

  /// Whether the bytes begin with APC or DCS.
  private static func isString(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && (bytes[1] == UInt8(ascii: "_") || bytes[1] == UInt8(ascii: "P"))
  }

  private static func progress(of bytes: [UInt8]) -> Progress {
    guard bytes.count >= 2 else { return .incomplete }
    switch bytes[1] {
    case UInt8(ascii: "["): return control(bytes.dropFirst(2))
    case UInt8(ascii: "_"): return string(bytes, beginning: "G")
    case UInt8(ascii: "P"): return string(bytes, beginning: ">|")
    default: return .other
    }
  }

  /// Answers are `ESC [ ? … c` and `ESC [ 6 ; … t`. All other control sequences are keys, mouse events or pastes.
  private static func control(_ bytes: ArraySlice<UInt8>) -> Progress {
    guard let last = bytes.last else { return .incomplete }
    if isParameter(last) { return .incomplete }
    switch last {
    case UInt8(ascii: "c") where bytes.first == UInt8(ascii: "?"): return .answer
    case UInt8(ascii: "t") where bytes.starts(with: cell): return .answer
    default: return .other
    }
  }

  private static func isParameter(_ byte: UInt8) -> Bool { (0x30...0x3F).contains(byte) }

  private static func string(_ bytes: [UInt8], beginning: String) -> Progress {
    let body = bytes.dropFirst(2)
    guard zip(body, beginning.utf8).allSatisfy(==) else { return .other }
    guard let end = body.firstIndex(where: { $0 < 0x20 }) else { return .incomplete }
    guard bytes[end] == escape else { return .other }
    if end + 1 == bytes.endIndex { return .incomplete }
    return bytes[end + 1] == UInt8(ascii: "\\") ? .answer : .other
  }

  private mutating func consume(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    switch bytes[1] {
    case UInt8(ascii: "_"): answers.kitty = text.hasPrefix("Gi=31") && text.dropLast(2).hasSuffix(";OK")
    case UInt8(ascii: "P"): answers.version = SafeText(text.dropFirst(2).dropLast(2)).prefix(100).text
    default: consumeNumbers(text)
    }
  }

  private mutating func consumeNumbers(_ text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    if text.hasSuffix("c") {
      answers.attributes = numbers
    } else if numbers.count == 3 {
      let cell = CellSize(width: numbers[2], height: numbers[1])
      if cell.isPlausible { answers.cell = cell }
    }
  }
}

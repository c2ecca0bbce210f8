/// Parses the bytes that a terminal sends into events. The result does not depend on how the bytes are split.
///
/// Answers of the terminal and unknown sequences are ignored, and never become keys.
public struct KeyParser: Sendable {
  private var pending: [UInt8] = []
  private var pasted: [UInt8]?

  private static let escape: UInt8 = 0x1B
  /// A longer sequence is invalid. A longer paste is cut.
  private static let longest = 4096
  private static let longestPaste = 1 << 16

  /// A parser that has read nothing.
  public init() {}

  /// Whether more bytes are needed: an escape may be a key or the start of a sequence.
  public var isWaiting: Bool { !pending.isEmpty }

  /// Parses more bytes, and returns the events that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    pending += bytes
    var events: [InputEvent] = []
    while !pending.isEmpty, let (count, event) = next() {
      pending.removeFirst(count)
      if let event { events.append(event) }
    }
    return events
  }

  /// Returns the keys in the pending bytes. Call it if nothing followed them for a while.
  public mutating func flush() -> [InputEvent] {
    guard pasted == nil, let first = pending.first else { return [] }
    // The pending bytes are a slow answer of the terminal, not keys.
    if pending.count > 2, Self.isText(pending[1]) { return [] }
    defer { pending = [] }
    guard first == Self.escape, pending.count <= 2 else { return [] }
    let second = pending.dropFirst().map { InputEvent.key(.character(Character(Unicode.Scalar($0)))) }
    return [.key(.escape)] + second
  }

  private typealias Match = (count: Int, event: InputEvent?)

  /// The next event and its length; nil if more bytes are needed.
  private mutating func next() -> Match? {
    if pasted != nil { return nextOfPaste() }
    let first = pending[0]
    if first != Self.escape { return first < 0x80 ? (1, Self.plain(first)) : letter() }
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "["): return sequence()
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return (3, Self.final(pending[2], []).map(InputEvent.key))
    case let second where Self.isText(second): return string()
    default: return (1, .key(.escape))
    }
  }

  // MARK: Letters

  private static func plain(_ byte: UInt8) -> InputEvent? {
    switch byte {
    case 0x0D, 0x0A: .key(.enter)
    case 0x09: .key(.tab)
    case 0x08, 0x7F: .key(.backspace)
    case 0x01...0x1A: .key(.control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20..<0x7F: .key(.character(Character(Unicode.Scalar(byte))))
    default: nil
    }
  }

  private func letter() -> Match? {
    let wanted =
      switch pending[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = pending.prefix(wanted)
    if let wrong = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (wrong, nil) }
    guard bytes.count == wanted else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return (1, nil)
    }
    let isControl = scalar.properties.generalCategory == .control
    return (wanted, isControl ? nil : .key(.character(Character(scalar))))
  }

  // MARK: Sequences

  private mutating func sequence() -> Match? {
    guard let end = pending.indices.dropFirst(2).first(where: { !(0x20..<0x40).contains(pending[$0]) }) else {
      return pending.count > Self.longest ? (pending.count, nil) : nil
    }
    guard (0x40..<0x7F).contains(pending[end]) else { return (end, nil) }
    let body = pending[2..<end]
    if body.first == UInt8(ascii: "<") { return (end + 1, Self.mouse(body.dropFirst(), pending[end])) }
    let numbers = Self.numbers(body)
    if pending[end] == UInt8(ascii: "~"), numbers.first == 200 { pasted = [] }
    if body.isEmpty, pending[end] == UInt8(ascii: "I") { return (end + 1, .focus(true)) }
    if body.isEmpty, pending[end] == UInt8(ascii: "O") { return (end + 1, .focus(false)) }
    guard body.allSatisfy({ (0x30..<0x3C).contains($0) }) else { return (end + 1, nil) }
    return (end + 1, Self.final(pending[end], numbers).map(InputEvent.key))
  }

  private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
    body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }

  private static func final(_ byte: UInt8, _ numbers: [Int]) -> Key? {
    switch Character(Unicode.Scalar(byte)) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H": .home
    case "F": .end
    case "Z": .backTab
    case "M" where numbers.isEmpty: .enter
    case "~": numbers.first.flatMap { tilde[$0] }
    default: nil
    }
  }

  private static let tilde: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  private static func mouse(_ body: ArraySlice<UInt8>, _ final: UInt8) -> InputEvent? {
    let numbers = numbers(body)
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let isPress = final == UInt8(ascii: "M")
    // Ignore Shift, Alt and Ctrl.
    let act: Mouse.Act? =
      switch numbers[0] & ~0b11100 {
      case 0: isPress ? .press : .release
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    return act.map { .mouse(Mouse($0, row: numbers[2] - 1, column: numbers[1] - 1)) }
  }

  // MARK: Strings

  /// Whether an escape and this byte begin a string, such as an answer or a title.
  private static func isText(_ byte: UInt8) -> Bool { [0x50, 0x58, 0x5D, 0x5E, 0x5F].contains(byte) }

  /// A string ends with its terminator. If that was lost, a control character that no string contains ends it.
  private func string() -> Match? {
    guard let end = pending.indices.dropFirst(2).first(where: { pending[$0] < 0x20 && pending[$0] != 0x0A }) else {
      return pending.count > Self.longest ? (pending.count, nil) : nil
    }
    if pending[end] == 0x07 { return (end + 1, nil) }
    guard pending[end] == Self.escape else { return (end, nil) }
    guard pending.count > end + 1 else { return nil }
    return (pending[end + 1] == UInt8(ascii: "\\") ? end + 2 : end, nil)
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func nextOfPaste() -> Match? {
    let mark = Self.pasteEnd
    for start in pending.indices where pending[start] == Self.escape {
      let rest = pending[start...]
      if rest.starts(with: mark) {
        let text = (pasted ?? []) + pending[..<start]
        pasted = nil
        return (start + mark.count, .paste(String(decoding: text.prefix(Self.longestPaste), as: UTF8.self)))
      }
      if mark.starts(with: rest) { return consumePasted(start) }
    }
    return consumePasted(pending.count)
  }

  /// Consumes bytes that are certainly part of the paste.
  private mutating func consumePasted(_ count: Int) -> Match? {
    if let length = pasted?.count { pasted? += pending.prefix(min(count, max(0, Self.longestPaste - length))) }
    pending.removeFirst(count)
    return nil
  }
}

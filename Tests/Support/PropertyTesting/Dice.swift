/// Random numbers from a seed, the same on every machine.
public struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator with a seed.
  public init(state: UInt64) { self.state = state }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, the bound.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

extension [UInt8] {
  /// Makes one small change at a random index: it replaces or removes a byte, inserts one of the characters, or repeats
  /// some bytes elsewhere.
  public mutating func mutate(with characters: String, _ dice: inout Dice) {
    guard !isEmpty else { return }
    let index = dice.below(count)
    switch dice.below(4) {
    case 0: self[index] = UInt8.random(in: 0...255, using: &dice)
    case 1: remove(at: index)
    case 2: insert(characters.utf8.randomElement(using: &dice)!, at: index)
    default: insert(contentsOf: Array(self[index...].prefix(20)), at: dice.below(count + 1))
    }
  }
}

/// Numbers from a seed, the same on every machine.
public struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Dice that fall as the seed says.
  public init(state: UInt64) { self.state = state }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, and without, the bound.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

extension [UInt8] {
  /// One small change at a place that chance chooses: another byte, one less, one of the characters more, or a few of
  /// its own once more elsewhere.
  public mutating func mutate(with characters: String, _ dice: inout Dice) {
    guard !isEmpty else { return }
    let place = dice.below(count)
    switch dice.below(4) {
    case 0: self[place] = UInt8.random(in: 0...255, using: &dice)
    case 1: remove(at: place)
    case 2: insert(characters.utf8.randomElement(using: &dice)!, at: place)
    default: insert(contentsOf: Array(self[place...].prefix(20)), at: dice.below(count + 1))
    }
  }
}

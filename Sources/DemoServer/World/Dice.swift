/// Repeatable random numbers: the same seed gives the same numbers on every machine and in every release. SplitMix64
/// (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct Dice: Sendable {
  private var state: UInt64

  /// Creates dice for one subject: each has its own sequence, so that changing one changes no other.
  init(seed: UInt64, subject: UInt64 = 0) {
    state = seed ^ (subject &* 0xd134_2543_de82_ef95)
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0..<1.
  mutating func unit() -> Float { Float(next() >> 40) / Float(1 << 24) }

  /// A number between the two.
  mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

  /// A whole number below `count`, which is at least 1.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// True with a probability of `percent`.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// One of `choices`, which is not empty.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }
}

/// What a model says that a picture or a text means: a direction in a space of many dimensions, in one byte each.
///
/// Two of one model are alike if they point the same way.
public struct Embedding: Sendable, Hashable {
  /// The most dimensions that a model may have.
  public static let mostDimensions = 4096

  /// The length of one step; the direction has the length 1.
  public let scale: Double
  /// How many steps it goes along each dimension.
  public let steps: [Int8]

  /// The direction of numbers; nil if one of them is not finite, if all are zero, or if there are none or too many.
  public init?(_ numbers: [Float]) {
    guard (1...Self.mostDimensions).contains(numbers.count), numbers.allSatisfy(\.isFinite),
      let most = numbers.lazy.map({ abs($0) }).max(), most > 0
    else { return nil }
    // By the largest first: squares of half floats and floats may be out of range.
    let parts = numbers.map { Double($0 / most) }
    let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    steps = parts.map { Int8(($0 * 127).rounded()) }
    scale = 1 / (127 * length)
  }

  /// An embedding as it is stored; nil if it is none.
  public init?(scale: Double, bytes: [UInt8]) {
    guard (1...Self.mostDimensions).contains(bytes.count), scale > 0, scale <= 1 else { return nil }
    self.scale = scale
    steps = bytes.map { Int8(bitPattern: $0) }
  }

  /// Its steps as they are stored.
  public var bytes: [UInt8] { steps.map { UInt8(bitPattern: $0) } }

  /// How alike two are: 1 for the same direction, 0 for directions that have nothing in common, -1 for opposite ones. Nil if
  /// they have different dimensions.
  public func similarity(to other: Embedding) -> Double? {
    other.steps.withUnsafeBytes { probe.similarity(scale: other.scale, bytes: $0) }
  }

  /// It as many others are compared with it.
  public var probe: Probe { Probe(steps: steps.map(Int16.init), scale: scale) }

  /// An embedding that many others are compared with.
  public struct Probe: Sendable {
    // Wider than they are stored: the compiler makes vectors of their products.
    fileprivate let steps: [Int16]
    fileprivate let scale: Double

    /// How alike an embedding is, as it is stored; nil if it has other dimensions.
    public func similarity(scale other: Double, bytes: UnsafeRawBufferPointer) -> Double? {
      guard bytes.count == steps.count else { return nil }
      let sum = steps.withUnsafeBufferPointer { steps in
        bytes.withMemoryRebound(to: Int8.self) { others in
          // A product fits 15 bits, and a sum of 4096 of them 27.
          var sum: Int32 = 0
          for index in 0..<min(steps.count, others.count) {
            sum &+= Int32(steps[index]) &* Int32(Int16(others[index]))
          }
          return sum
        }
      }
      return Double(sum) * scale * other
    }
  }
}

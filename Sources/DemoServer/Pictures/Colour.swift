/// An opaque colour, each part in 0...1 of sRGB.
struct Colour: Sendable, Equatable {
  var parts: SIMD3<Float>

  /// A colour as designers write it: `Colour(0xffcc88)`.
  init(_ hex: UInt32) {
    parts = SIMD3(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255)) / 255
  }

  private init(parts: SIMD3<Float>) { self.parts = parts }

  /// This colour moved towards `other`; 0 is this one, 1 the other.
  func mixed(_ other: Colour, _ amount: Float) -> Colour {
    Colour(parts: parts + (other.parts - parts) * min(max(amount, 0), 1))
  }

  /// Red in the lowest byte, opaque: what the encoders read on a little-endian machine.
  var pixel: UInt32 {
    let bytes = (parts * 255 + 0.5).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    return UInt32(bytes.x) | UInt32(bytes.y) << 8 | UInt32(bytes.z) << 16 | 0xff00_0000
  }

  static let black = Colour(0x000000)
  static let white = Colour(0xffffff)
}

/// Evenly spaced colours from top to bottom.
struct Gradient: Sendable {
  var stops: [Colour]

  /// The colour at a fraction of the way from the first stop to the last.
  func at(_ fraction: Float) -> Colour {
    let position = min(max(fraction, 0), 1) * Float(stops.count - 1)
    let index = min(Int(position), stops.count - 2)
    return stops[index].mixed(stops[index + 1], position - Float(index))
  }
}

/// Where something was taken.
struct Coordinates: Equatable {
  /// Degrees north of the equator.
  let latitude: Double
  /// Degrees east of Greenwich.
  let longitude: Double

  /// Nil if they are out of range, or both zero: programs write that where they know nothing.
  init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), latitude != 0 || longitude != 0 else {
      return nil
    }
    (self.latitude, self.longitude) = (Self.rounded(latitude), Self.rounded(longitude))
  }

  /// Coordinates of EXIF (CIPA DC-008, 4.6.6): degrees, minutes and seconds as fractions, and a hemisphere of each.
  init?(latitude: [UInt8]?, _ north: [UInt8]?, longitude: [UInt8]?, _ east: [UInt8]?) {
    guard let latitude = Self.degrees(latitude), let longitude = Self.degrees(longitude),
      let northern = Self.sign(north, "N", "S"), let eastern = Self.sign(east, "E", "W")
    else { return nil }
    self.init(latitude: northern * latitude, longitude: eastern * longitude)
  }

  /// Coordinates of a video's container (ISO 6709, annex H): `+48.8577+002.2950/`.
  init?(iso6709 text: String) {
    var rest = text.utf8.prefix(64)[...]
    guard let latitude = Self.signed(&rest, digits: 2), let longitude = Self.signed(&rest, digits: 3) else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// To a centimetre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  private static func sign(_ bytes: [UInt8]?, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar) -> Double? {
    guard let letter = bytes?.first else { return nil }
    return letter == UInt8(ascii: positive) ? 1 : letter == UInt8(ascii: negative) ? -1 : nil
  }

  private static func degrees(_ bytes: [UInt8]?) -> Double? {
    guard let bytes, bytes.count <= 100 else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(fraction)
    let known = parts.compactMap(\.self)
    guard (1...3).contains(known.count), known.count == parts.count, known.dropFirst().allSatisfy({ $0 <= 60 }) else {
      return nil
    }
    return sexagesimal(known)
  }

  private static func fraction(_ text: Substring) -> Double? {
    let parts = text.split(separator: "/").map { Double($0) }
    guard parts.count == 2, let above = parts[0], let below = parts[1], above >= 0, below > 0 else { return nil }
    return above / below
  }

  private static func sexagesimal(_ parts: [Double]) -> Double {
    zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
  }

  /// A number with a sign. Each pair of digits after the degrees is minutes, then seconds.
  private static func signed(_ rest: inout Substring.UTF8View, digits: Int) -> Double? {
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let number = String(Substring(rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }))
    rest = rest.dropFirst(number.utf8.count)
    let whole = number.prefix { $0 != "." }.count
    guard [digits, digits + 2, digits + 4].contains(whole) else { return nil }
    var (parts, left) = ([String(number.prefix(digits))], number.dropFirst(digits))
    while left.prefix(while: { $0 != "." }).count >= 2 {
      parts.append(String(left.prefix(2)))
      left = left.dropFirst(2)
    }
    parts[parts.count - 1] += left
    let values = parts.compactMap(Double.init)
    guard values.count == parts.count, values.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * sexagesimal(values)
  }
}

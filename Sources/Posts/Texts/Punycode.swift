/// Unicode text as ASCII (RFC 3492), without the prefix `xn--`.
enum Punycode {
  private static let (base, least, most, skew, damping) = (36, 1, 26, 38, 700)
  private static let (firstBias, firstScalar) = (72, 128)

  static func encoded(_ label: some Collection<Unicode.Scalar>) -> String {
    let scalars = label.map { Int($0.value) }
    var out = label.filter(\.isASCII).map { UInt8($0.value) }
    let plain = out.count
    if plain > 0 { out.append(UInt8(ascii: "-")) }
    var (next, delta, bias, done) = (firstScalar, 0, firstBias, plain)
    while done < scalars.count, let scalar = scalars.filter({ $0 >= next }).min() {
      delta += (scalar - next) * (done + 1)
      next = scalar
      for other in scalars {
        if other < next { delta += 1 }
        guard other == next else { continue }
        append(delta, bias, to: &out)
        bias = adapted(delta, done + 1, isFirst: done == plain)
        (delta, done) = (0, done + 1)
      }
      (delta, next) = (delta + 1, next + 1)
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Returns nil if the text encodes nothing.
  static func decoded(_ text: Substring) -> String? {
    let bytes = Array(text.utf8)
    let dash = bytes.lastIndex(of: UInt8(ascii: "-"))
    var out = bytes[..<(dash ?? 0)].map { Unicode.Scalar($0) }
    var (next, index, bias) = (firstScalar, 0, firstBias)
    var rest = bytes[(dash.map { $0 + 1 } ?? 0)...]
    while !rest.isEmpty {
      let start = index
      guard let step = number(&rest, bias), out.count < 256 else { return nil }
      index += step
      bias = adapted(index - start, out.count + 1, isFirst: start == 0)
      next += index / (out.count + 1)
      index %= out.count + 1
      guard let scalar = UInt32(exactly: next).flatMap(Unicode.Scalar.init) else { return nil }
      out.insert(scalar, at: index)
      index += 1
    }
    return String(String.UnicodeScalarView(out))
  }

  private static func append(_ number: Int, _ bias: Int, to out: inout [UInt8]) {
    var (rest, weight) = (number, base)
    while true {
      let threshold = min(max(weight - bias, least), most)
      let digit = rest < threshold ? rest : threshold + (rest - threshold) % (base - threshold)
      out.append(UInt8(digit < 26 ? digit + 97 : digit + 22))
      if rest < threshold { return }
      (rest, weight) = ((rest - threshold) / (base - threshold), weight + base)
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>, _ bias: Int) -> Int? {
    var (value, factor, weight) = (0, 1, base)
    while let byte = bytes.popFirst() {
      guard let digit = digit(byte) else { return nil }
      value += digit * factor
      let threshold = min(max(weight - bias, least), most)
      if digit < threshold { return value }
      (factor, weight) = (factor * (base - threshold), weight + base)
      // Far beyond any scalar, far below overflow.
      guard value < 1 << 32, factor < 1 << 32 else { return nil }
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 22
    default: nil
    }
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damping : delta / 2
    delta += delta / count
    var weight = 0
    while delta > (base - least) * most / 2 {
      (delta, weight) = (delta / (base - least), weight + base)
    }
    return weight + (base - least + 1) * delta / (delta + skew)
  }
}

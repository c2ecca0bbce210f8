extension BinaryInteger {
  /// The decimal digits, with zeros before them up to a width: `05`.
  package func digits(_ width: Int) -> String {
    let digits = String(self)
    return digits.utf8.count < width ? String(repeating: "0", count: width - digits.utf8.count) + digits : digits
  }
}

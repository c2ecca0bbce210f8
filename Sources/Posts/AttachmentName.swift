import Machine

extension Attachment {
  /// The name to store of a file: the last part of its path, without control characters and line separators, and of 255
  /// bytes at most. A longer name keeps its extension. Whoever shows it or makes a file of it must sanitize it for that use.
  ///
  /// - Parameter path: A path or a name.
  /// - Returns: The name; nil if nothing is left, or only dots.
  public static func name(ofFile path: String) -> String? {
    let last = PathText.name(of: path)
    let name = String(String.UnicodeScalarView(last.unicodeScalars.filter { !isDropped($0) })).trimmingWhiteSpace
    guard name != "/", name.contains(where: { $0 != "." }) else { return nil }
    return bounded(name)
  }

  /// The most bytes of a name, as most file systems allow.
  private static let longest = 255
  /// The most bytes of an extension with its dot.
  private static let longestExtension = 16

  private static func bounded(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    let stem = PathText.stem(of: name)
    let ending = String(name.dropFirst(stem.count))
    guard !ending.isEmpty, ending.utf8.count <= longestExtension else { return cut(name, to: longest) }
    return cut(stem, to: longest - ending.utf8.count) + ending
  }

  /// The longest beginning of whole scalars. A character of many scalars may be longer than a name.
  private static func cut(_ text: String, to bytes: Int) -> String {
    var room = bytes
    let kept = text.unicodeScalars.prefix {
      room -= String($0).utf8.count
      return room >= 0
    }
    return String(kept)
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

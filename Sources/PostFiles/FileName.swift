import Machine
import Posts

/// One part of a path that any file system takes, made of any text: what somebody wrote, a name, a tag.
///
/// It neither leads out of its folder nor hides, and Windows and macOS accept it, too.
package struct FileName: Hashable, Sendable {
  /// The name: 1 to `longest` bytes.
  package let text: String

  /// The most bytes of a name, as most file systems allow.
  static let longest = 255
  /// What is kept free in a file's name: for the number of a second file of that name, and the endings of sidecars.
  static let reserve = 24

  /// The name of a folder.
  init(folder text: String) {
    let name = Self.ended(Self.cleaned(text))
    self.text = Self.unreserved(Self.ended(Self.cut(name, to: Self.longest - Self.reserve)))
  }

  /// The name of a file.
  ///
  /// - Parameters:
  ///   - stem: The name without its extension.
  ///   - ending: The extension without its dot; empty for none.
  init(stem: String, ending: String) {
    let ending = Self.cleanedEnding(ending)
    let room = Self.longest - Self.reserve - ending.utf8.count
    let name = Self.unreserved(Self.ended(Self.cut(Self.ended(Self.cleaned(stem)), to: room)))
    text = name + ending
  }

  private init(checked text: String) { self.text = text }

  /// The name with something before its extension: `cat~2.jpg`.
  package func marked(_ mark: String) -> FileName {
    let stem = PathText.stem(of: text)
    return FileName(checked: stem + mark + text.dropFirst(stem.count))
  }

  /// What two names share that are one on a file system which does not tell capitals from small letters.
  package static func folded(_ name: String) -> String { name.composed.uppercased().lowercased() }

  /// Without what separates folders, what Windows refuses, and what makes a name look like another.
  private static func cleaned(_ text: String) -> String {
    let scalars = text.composed.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: "_"
      case .spaceSeparator: " "
      default: "/\\<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Without space at its ends, a dot at its beginning, which hides a file, a dash there, which commands read as a flag, and
  /// dots at its end, which Windows drops.
  private static func ended(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    while let last = scalars.last, last == " " || last == "." { scalars.removeLast() }
    scalars = scalars.drop { $0 == " " }
    guard let first = scalars.first else { return "_" }
    return first == "." || first == "-" ? "_" + String(scalars.dropFirst()) : String(scalars)
  }

  private static func cleanedEnding(_ text: String) -> String {
    let letters = text.lowercased().utf8.filter { (48...57).contains($0) || (97...122).contains($0) }.prefix(10)
    return letters.isEmpty ? "" : "." + String(decoding: letters, as: UTF8.self)
  }

  /// The names of devices, with any extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
      + ["com", "lpt"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } })

  private static func unreserved(_ text: String) -> String {
    var device = String(text.prefix { $0 != "." }).lowercased()
    while device.last == " " { device.removeLast() }
    return devices.contains(device) ? "_" + text : text
  }

  /// The longest beginning of whole characters, or of whole scalars if the first character is too long.
  private static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var (kept, count) = ("", 0)
    for character in text {
      count += character.utf8.count
      if count > bytes { break }
      kept.append(character)
    }
    guard kept.isEmpty else { return kept }
    count = 0
    for scalar in text.unicodeScalars {
      count += String(scalar).utf8.count
      if count > bytes { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}

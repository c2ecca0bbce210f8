import Glibc

/// The languages in which text in pictures is read, as tesseract names them: `eng+deu`. Each needs a file of data, which
/// Debian has in a package of its own.
public struct TextLanguages: Sendable, Hashable {
  /// The environment variable that names another folder of data.
  public static let folderVariable = "TESSDATA_PREFIX"
  /// The most languages. Each makes reading slower.
  public static let most = 5
  private static let folders = [
    "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata",
  ]

  /// Their names, each once.
  public let names: [String]

  /// Languages from their names with `+` between; nil if they are none, too many, or no names.
  public init?(_ text: String) {
    var names: [String] = []
    for name in text.split(separator: "+", omittingEmptySubsequences: false).map(String.init) {
      guard Self.isName(name) else { return nil }
      if !names.contains(name) { names.append(name) }
    }
    guard (1...Self.most).contains(names.count) else { return nil }
    self.names = names
  }

  /// The names with `+` between.
  public var text: String { names.joined(separator: "+") }

  /// The folder that has the data of all of them.
  ///
  /// - Parameter environment: The environment of this process.
  public func folder(_ environment: [String: String]) -> String? {
    Self.folders(environment).first { folder in names.allSatisfy { Self.has($0, in: folder) } }
  }

  /// What is not installed, and what installs it, as the end of a sentence; nil if nothing is missing.
  ///
  /// - Parameter environment: The environment of this process.
  public func obstacle(_ environment: [String: String]) -> String? {
    if folder(environment) != nil { return nil }
    let folders = Self.folders(environment)
    let missing = names.filter { name in !folders.contains { Self.has(name, in: $0) } }
    // Those that are installed may lie in several folders.
    guard !missing.isEmpty else { return "the languages \(text) are not in one folder" }
    let packages = missing.map { "tesseract-ocr-\($0.lowercased().replacing("_", with: "-"))" }
    let what =
      missing.count == 1 ? "the language \(missing[0]) is" : "the languages \(missing.joined(separator: ", ")) are"
    return "\(what) not installed: apt-get install \(packages.joined(separator: " "))"
  }

  /// Names of files, such as `deu` and `chi_sim`.
  private static func isName(_ name: String) -> Bool {
    (2...30).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
      }
  }

  private static func folders(_ environment: [String: String]) -> [String] {
    environment[folderVariable].map { [$0] } ?? folders
  }

  private static func has(_ name: String, in folder: String) -> Bool {
    access("\(folder)/\(name).traineddata", R_OK) == 0
  }
}

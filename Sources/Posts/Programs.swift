import Glibc

/// Where other programs of this machine lie.
public enum Programs {
  /// On PATH; nil where it is not to be had.
  public static func onPath(_ name: String, _ environment: [String: String]) -> String? {
    find(name, environment, beside: nil)
  }

  /// Beside the program that asks, else on PATH: those that `media` is installed with.
  public static func beside(_ name: String, _ environment: [String: String]) -> String? {
    find(name, environment, beside: folderOfThisProgram())
  }

  /// The same, where it is known which folder the asking program lies in.
  static func find(_ name: String, _ environment: [String: String], beside folder: String?) -> String? {
    // A word of PATH that is no whole path leads to the current folder, where anybody may have put anything.
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return ([folder].compactMap { $0 } + path).lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func folderOfThisProgram() -> String? {
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &name, name.count)
    guard count > 0, let slash = name[..<count].lastIndex(of: CChar(UInt8(ascii: "/"))) else { return nil }
    return String(decoding: name[..<slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

import Glibc

/// Where `media-picture` lies.
public enum PictureProgram {
  /// The program's name.
  public static let name = "media-picture"

  /// Beside the program that asks, else on PATH; where it is neither, pictures are not to be had and the failure says so.
  public static func find(_ environment: [String: String]) throws(DrawingFailure) -> String {
    try find(environment, beside: folderOfThisProgram())
  }

  /// The same, where it is known which folder the asking program lies in.
  static func find(_ environment: [String: String], beside folder: String?) throws(DrawingFailure) -> String {
    // An empty word of PATH would be the current folder, where anybody may have put anything.
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    for folder in [folder].compactMap({ $0 }) + path {
      let program = "\(folder)/\(name)"
      if isProgram(program) { return program }
    }
    throw .unavailable("\(name), which draws them, is neither beside media nor on PATH")
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

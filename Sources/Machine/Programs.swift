import Glibc

/// Finds other programs on this machine.
package enum Programs {
  /// The path of a program on PATH; nil if there is none.
  package static func onPath(_ name: String, _ environment: [String: String]) -> String? {
    find(name, environment, beside: nil)
  }

  /// The path of a program in the folder of this program, otherwise on PATH; nil if there is none. Used for programs that
  /// are installed with `media`.
  package static func beside(_ name: String, _ environment: [String: String]) -> String? {
    find(name, environment, beside: folderOfThisProgram())
  }

  /// The path of a program in `folder`, otherwise on PATH.
  static func find(_ name: String, _ environment: [String: String], beside folder: String?) -> String? {
    // A relative entry of PATH leads to the current folder, in which anybody may have put a program.
    let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return ([folder].compactMap { $0 } + path).lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func folderOfThisProgram() -> String? {
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &name, name.count)
    guard count > 0, let slash = name[..<count].lastIndex(of: CChar(UInt8(ascii: "/"))) else { return nil }
    return String(decoding: name[..<slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

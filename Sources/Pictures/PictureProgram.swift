import Machine

/// The program that draws pictures.
public enum PictureProgram {
  /// Its name.
  public static let name = "media-picture"

  /// The path of the program.
  ///
  /// - Throws: `DrawingFailure.unavailable` if it is not installed.
  public static func find(_ environment: [String: String]) throws(DrawingFailure) -> String {
    guard let program = Programs.beside(name, environment) else {
      throw .unavailable("\(name), which draws them, is neither beside media nor on PATH")
    }
    return program
  }
}

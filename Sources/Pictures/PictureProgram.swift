import Posts

/// The program that draws.
public enum PictureProgram {
  /// Its name.
  public static let name = "media-picture"

  /// Where it lies; where it does not, pictures are not to be had and the failure says so.
  public static func find(_ environment: [String: String]) throws(DrawingFailure) -> String {
    guard let program = Programs.beside(name, environment) else {
      throw .unavailable("\(name), which draws them, is neither beside media nor on PATH")
    }
    return program
  }
}

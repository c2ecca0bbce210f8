/// Why the demo cannot start or draw.
public enum DemoServerError: Error, Equatable {
  /// Another program listens on this port already.
  case portTaken(Int)
  /// The port is not permitted: below 1024 without the privilege.
  case portForbidden(Int)
  /// Neither libturbojpeg, libpng nor libwebp is installed.
  case noPictureLibrary
}

extension DemoServerError: CustomStringConvertible {
  /// One sentence, with its cure.
  public var description: String {
    switch self {
    case .portTaken(let port):
      "port \(port) is taken by another program: give another one with --port, or 0 for any that is free"
    case .portForbidden(let port):
      "port \(port) may not be used by this user: give one above 1023 with --port"
    case .noPictureLibrary:
      "no picture library was found: install libturbojpeg0, libpng16-16 or libwebp7"
    }
  }
}

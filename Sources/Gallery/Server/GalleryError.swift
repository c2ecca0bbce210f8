import Glibc
import NIOCore
import Posts

/// Why the gallery cannot be served.
package enum GalleryError: ExplainedError, Equatable {
  /// Another program listens on the port.
  case portTaken(Int)
  /// The system keeps the port for others.
  case portForbidden(Int)
  /// The system refuses to listen, with its reason.
  case cannotListen(String)

  init(_ error: IOError, port: Int) {
    self =
      switch error.errnoCode {
      case EADDRINUSE: .portTaken(port)
      case EACCES: .portForbidden(port)
      default: .cannotListen(String(cString: strerror(error.errnoCode)))
      }
  }

  package var summary: String {
    switch self {
    case .portTaken(let port): "port \(port) is taken by another program"
    case .portForbidden(let port): "port \(port) is not open to ordinary users"
    case .cannotListen(let reason): "the gallery cannot listen (\(reason))"
    }
  }
  package var cure: String? {
    switch self {
    case .portTaken, .portForbidden: "choose another one with --port, 0 for any free one"
    case .cannotListen: nil
    }
  }
  package var exitCode: Posts.ExitCode { .unavailable }
}

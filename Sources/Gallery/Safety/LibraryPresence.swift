import Glibc
import Hummingbird

/// Refuses requests while the library that was opened is not in its folder.
///
/// The open files of a removed library could still be read and written, and nobody would ever see what was written.
struct LibraryPresence: RouterMiddleware {
  private let path: String
  private let identity: Identity?

  private struct Identity: Equatable {
    let device: UInt, inode: UInt

    init?(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (device, inode) = (UInt(facts.st_dev), UInt(facts.st_ino))
    }
  }

  /// - Parameter folder: The folder of the library, which is open.
  init(folder: String) {
    path = "\(folder)/media.sqlite"
    identity = Identity(path)
  }

  func handle(
    _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
  ) async throws -> Response {
    guard !AssetRoutes.have(request.uri.path) else { return try await next(request, context) }
    let present = Identity(path)
    guard present == identity else { throw present == nil ? RequestError.libraryGone : RequestError.otherLibrary }
    return try await next(request, context)
  }
}

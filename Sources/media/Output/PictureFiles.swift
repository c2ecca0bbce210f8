import Blobs
import Machine
import Pictures

/// Gives the picture worker, which reads files, the library's pictures.
///
/// A request names a picture by the path of its file. If the store has no files on this machine, it names it by its hash,
/// and the picture is copied for as long as it is drawn.
struct PictureFiles: Sendable {
  private let blobs: any BlobStoring
  private let folder: String
  private let work = BlockingExecutor("copies")

  /// The pictures of a store. Copies go to the folder for temporary files.
  init(of blobs: any BlobStoring, environment: [String: String]) {
    self.blobs = blobs
    folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// How a request names a picture.
  func path(of id: BlobID) -> String { blobs.localFile(of: id) ?? id.hex }

  /// Draws a picture.
  func draw(_ request: PictureRequest, by drawer: PictureDrawer) async throws(DrawingFailure) -> DrawnPicture {
    guard let id = BlobID(request.path) else { return try await drawer.draw(request) }
    let file: BlobFile
    do {
      file = try await work.run { [blobs, folder] in try blobs.file(of: id, in: folder) }
    } catch {
      throw .refused("the stored picture cannot be copied")
    }
    defer { withExtendedLifetime(file) {} }
    var request = request
    request.path = file.path
    return try await drawer.draw(request)
  }
}

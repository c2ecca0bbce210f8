import Blobs
import Storage

// What is done to a library on a server, and not to one in a folder.

extension LibraryOpener {
  /// Makes the library, or brings it up to date.
  ///
  /// - Returns: Whether there was none.
  func makeOnServer() throws -> Bool {
    guard let address else { throw FolderLibrary() }
    var isNew = false
    do throws(StorageError) {
      try Store.open(library: address, for: .reading).close()
    } catch {
      switch error {
      case .unsuitable(_, .empty): isNew = true
      case .unsuitable(_, .outdated): break
      default: throw error
      }
    }
    try openServer(for: .command).close()
    return isNew
  }

  /// Records in the library where its pictures are, as the first picture that is stored does.
  func recordPlace() throws {
    let store = try openStore()
    defer { store.close() }
    try placed?.claim()
  }

  /// Moves its pictures.
  ///
  /// - Parameters:
  ///   - target: The new place.
  ///   - lost: Whether any number of pictures may be missing.
  ///   - copies: Whether the earlier place stays another library's.
  ///   - onStep: Receives the progress.
  func movePictures(
    to target: any BlobPlace, lost: Bool, copies: Bool, onStep: (_ done: Int, _ known: Int) -> Void
  ) throws -> PlaceMove.Result {
    guard let placed else { throw FolderLibrary() }
    let lock = try pictureLock.acquireExclusive()
    defer { withExtendedLifetime(lock) {} }
    let store = try openServer(for: .command)
    defer { store.close() }
    return try PlaceMove(of: store, from: placed.base, to: target).run(
      lost: lost, copies: copies, onStep: onStep)
  }
}

import Blobs

/// Why a library's pictures cannot be where an address says.
enum PlaceFault {
  /// The library keeps them elsewhere.
  case elsewhere(String)
  /// Another library keeps its pictures there.
  case another
  /// A library in a folder, or a backup, is there.
  case occupied
  /// Pictures are there, and the library has stored none.
  case unknown
  /// The library has stored pictures, and the place does not say that they are there.
  case unmarked
  /// The library has stored pictures, and none of them is there.
  case absent

  /// As the failure of a store.
  func error(at location: String) -> BlobError {
    .service(BlobServiceFault(.misconfigured, location: location, reason: reason, cure: cure(location)))
  }

  private var reason: String {
    switch self {
    case .elsewhere(let address): "this library keeps its pictures in \(address)"
    case .another: "another library keeps its pictures there"
    case .occupied: "a library of its own or a backup is there"
    case .unknown: "pictures are there that this library does not know"
    case .unmarked: "this library has stored pictures, and \(PictureLocation.fileName) is not there"
    case .absent: "this library has stored pictures, and none of them is there"
    }
  }

  private func cure(_ location: String) -> String {
    switch self {
    case .elsewhere(let address):
      "write blobs=\(address) in the library's address, or move them by \"media library move-pictures\""
    case .another, .occupied, .unknown: "name another folder, or another bucket or prefix"
    case .unmarked, .absent:
      "check the address, and that the folder is mounted; \"media library move-pictures \(location)\" verifies pictures that are there"
    }
  }
}

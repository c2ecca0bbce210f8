import Blobs

/// Why a library's pictures cannot be where an address says.
enum PlaceFault {
  /// The library keeps them elsewhere.
  case elsewhere(String)
  /// Another library keeps its pictures there.
  case another
  /// This library keeps them there already, and its address says another place.
  case here
  /// It is among the pictures of another place.
  case within(String)
  /// The file that says whose pictures are there says nothing.
  case damaged
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
    case .here: "this library's pictures are there already"
    case .within(let outer): "the pictures of \(outer) are there"
    case .damaged: "\(PictureLocation.fileName) is empty there"
    case .occupied: "a library of its own or a backup is there"
    case .unknown: "pictures are there that this library does not know"
    case .unmarked: "this library has stored pictures, and \(PictureLocation.fileName) is not there"
    case .absent: "this library has stored pictures, and none of them is there"
    }
  }

  private func cure(_ location: String) -> String {
    switch self {
    case .elsewhere(let address):
      "write \(LibraryAddress.option(blobs: address)) in the library's address, or move them by \"media library move-pictures\""
    case .here where location.hasPrefix("/"):
      "write \(LibraryAddress.option(blobs: location)) in the library's address"
    case .here: "remove \(PictureLocation.fileName) there, which was copied, and repeat this"
    case .damaged:
      "remove that file; \"media library move-pictures \(location)\" then verifies the pictures and writes it anew"
    case .another, .within, .occupied, .unknown: "name another folder, or another bucket or prefix"
    case .unmarked, .absent:
      "check the address, and that the folder is mounted; \"media library move-pictures \(location)\" verifies pictures that are there"
    }
  }
}

import HTTPTypes
import Posts

/// Why a request is refused, as its sender may know.
enum RequestError: Error, Equatable {
  /// A parameter is not what it must be; the text says what it must be.
  case badParameter(String, must: String)
  /// No post has the number.
  case noPost(Int64)
  /// The library has no such feed.
  case noFeed(String)
  /// No blob of this name is stored.
  case noBlob
  /// Nothing is at the address.
  case nothingHere
  /// The gallery is served for reading only.
  case readOnly

  var status: HTTPResponse.Status {
    switch self {
    case .badParameter: .badRequest
    case .noPost, .noFeed, .noBlob, .nothingHere: .notFound
    case .readOnly: .forbidden
    }
  }

  /// One sentence for the person.
  var summary: String {
    switch self {
    case .badParameter(let name, let must): "\(name) must be \(must)"
    case .noPost(let id): "no post has the number \(id)"
    case .noFeed(let name): "the library has no feed \(name)"
    case .noBlob: "no file of this name is stored"
    case .nothingHere: "there is nothing at this address"
    case .readOnly: "this gallery is served for reading only"
    }
  }

  /// What to do about it; nil if nothing helps.
  var cure: String? {
    switch self {
    case .readOnly: "start \"media serve\" without --read-only"
    default: nil
    }
  }
}

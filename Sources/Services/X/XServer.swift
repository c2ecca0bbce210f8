import Posts

// The addresses of X, which has several names.

extension Server {
  /// X, by its canonical name.
  package static let x = Server("x.com")

  /// Whether this is X itself, by any of its names, and not another server that implements its API.
  var isX: Bool { SourceDescriptor.x.home?.owns(self) == true }

  /// The base address of the API: X's API host for X itself, otherwise the server.
  var xAPI: String { isX ? "https://api.x.com" : origin }
}

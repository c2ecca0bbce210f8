/// The addresses of X, which has several names.
extension Server {
  /// X, by its canonical name.
  public static let x = Server("x.com")

  /// Whether this is X itself, by any of its names, and not another server that implements its API.
  public var isX: Bool {
    let names = ["x.com", "twitter.com"]
    return isSecure && names.contains { host == $0 || host.hasSuffix(".\($0)") }
  }

  /// The base address of the API: X's API host for X itself, otherwise the server.
  public var xAPI: String { isX ? "https://api.x.com" : origin }
}

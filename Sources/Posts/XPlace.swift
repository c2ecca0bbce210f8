/// Where X is, which answers to several names.
extension Server {
  /// X under the name that stands for all of them.
  public static let x = Server("x.com")

  /// Whether this is X itself, by any of its names, and no server that speaks its API elsewhere.
  public var isX: Bool {
    let names = ["x.com", "twitter.com"]
    return isSecure && names.contains { host == $0 || host.hasSuffix(".\($0)") }
  }

  /// Where the API of X is spoken to: at X's own host for it, else at the server itself.
  public var xAPI: String { isX ? "https://api.x.com" : origin }
}

import Posts

/// The servers that know the accounts of a network, where they are not the network's usual ones.
public struct Directories: Sendable, Equatable {
  /// Keeps the documents of accounts; nil for the network's own.
  public var documents: Server?
  /// Knows whose account a handle names; nil for the server at which the login is.
  public var handles: Server?

  /// Creates directories; by default the usual ones.
  public init(documents: Server? = nil, handles: Server? = nil) {
    (self.documents, self.handles) = (documents, handles)
  }
}

import Posts

/// A stream of all posts of a network, as a server of it sends them to everybody.
public struct PostStream: Sendable {
  /// Returns the address of the stream at a server from a moment on, in microseconds since 1970.
  public let address: @Sendable (_ server: Server, _ cursor: Int64) -> String
  /// Reads an event; nil if a message is none. The tags are in the form of `Feed.tagName`.
  public let event: @Sendable (_ message: [UInt8], _ tags: Set<String>) -> StreamEvent?
}

/// What an event of a stream says. Every value is untrusted.
public struct StreamEvent: Sendable, Equatable {
  /// What happened to a post.
  public enum Change: Sendable, Equatable {
    /// It was written, with a wanted tag.
    case written(uri: String)
    /// It was edited or deleted.
    case changed(uri: String)
  }

  /// When the server sent it to all, in microseconds since 1970.
  public let time: Int64
  /// What happened to a post; nil if it concerns none that is wanted.
  public let change: Change?
}

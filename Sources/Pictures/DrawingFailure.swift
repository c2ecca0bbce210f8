import Terminal

/// Why there is no picture.
public enum DrawingFailure: Error, Sendable, Equatable {
  /// The file is no picture, or none that can be drawn; the words end a sentence.
  case refused(String)
  /// The drawing program ended over it, or was at it for too long.
  case broken(String)
  /// Pictures cannot be drawn on this machine; it is the same for all of them.
  case unavailable(String)
  /// Nobody waits for it any more.
  case cancelled

  /// The failure in words.
  public var words: Inert {
    switch self {
    case .refused(let words), .broken(let words), .unavailable(let words):
      Inert(words).prefix(300)
    case .cancelled: "nobody waits for it"
    }
  }
}

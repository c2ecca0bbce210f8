import Terminal

/// Why a picture could not be drawn.
public enum DrawingFailure: Error, Sendable, Equatable {
  /// The file is no picture, or none that can be drawn. The text ends a sentence.
  case refused(String)
  /// The drawing program ended, took too long, or sent an invalid answer.
  case broken(String)
  /// No pictures can be drawn on this machine.
  case unavailable(String)
  /// The caller was cancelled.
  case cancelled

  /// The failure as text.
  public var message: SafeText {
    switch self {
    case .refused(let message), .broken(let message), .unavailable(let message):
      SafeText(message).prefix(300)
    case .cancelled: "nobody waits for it"
    }
  }
}

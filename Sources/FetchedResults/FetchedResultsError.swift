/// Why there is no reading, if the observation itself threw no error.
public enum FetchedResultsError: Error, Hashable, CustomStringConvertible {
  /// The controller was stopped for good.
  case stopped
  /// The observation ended before its first reading.
  case nothingRead

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .stopped: "the list is not observed any more"
    case .nothingRead: "the list could not be read: its observation ended before the first reading"
    }
  }
}

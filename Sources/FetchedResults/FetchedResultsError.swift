/// Why there is no reading, where the observation itself did not say.
public enum FetchedResultsError: Error, Hashable, CustomStringConvertible {
  /// The controller was stopped, for good.
  case stopped
  /// The observation ended before it gave a reading.
  case nothingRead

  /// One sentence without its full stop.
  public var description: String {
    switch self {
    case .stopped: "the list is not observed any more"
    case .nothingRead: "the list could not be read: its observation ended before the first reading"
    }
  }
}

/// When and where the files of a post were taken, as its source says. Untrusted, and bounded by whoever reads it.
public struct SaidFacts: Sendable, Hashable {
  /// When, by the clock of that place: `2024-05-01T12:30:00`, `2024-05` or `2024`.
  public var takenAt: String?
  /// Degrees north and east; nil if it is not known to some kilometres.
  public var position: Position?

  /// A place on earth.
  public struct Position: Sendable, Hashable {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// The place at these degrees; nil if there is none.
    public init?(latitude: Double, longitude: Double) {
      guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
      (self.latitude, self.longitude) = (latitude, longitude)
    }
  }

  /// What a source says; nil if it says nothing.
  public init?(takenAt: String?, position: Position?) {
    guard takenAt != nil || position != nil else { return nil }
    (self.takenAt, self.position) = (takenAt, position)
  }
}

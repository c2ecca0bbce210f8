/// A town of the gazetteer.
public struct Town: Sendable, Hashable {
  /// What it is called here.
  public let name: String
  /// The code of its country (ISO 3166-1).
  public let country: String
  /// Degrees north of the equator.
  public let latitude: Double
  /// Degrees east of Greenwich.
  public let longitude: Double
  /// How many people live there, in thousands.
  public let thousands: Int

  /// How far it reaches around its middle, in metres: a rough size by the number of its people.
  public var radius: Int64 {
    switch thousands {
    case 5000...: Self.mostRadius
    case 1000...: 20_000
    case 200...: 12_000
    default: 6000
    }
  }

  static let mostRadius: Int64 = 30_000

  /// `Vienna, AT`.
  public var text: String { "\(name), \(country)" }
}

// Names for places, without a network: a table of towns with some 30,000 people and more, and of countries, made from
// GeoNames (https://www.geonames.org, CC BY 4.0) by Scripts/towns.

import CTowns
import Glibc

/// The towns and countries that are known by name.
public struct Gazetteer: Sendable {
  /// A country.
  public struct Country: Sendable, Hashable {
    /// Its code (ISO 3166-1 alpha-2).
    public let code: String
    /// What it is called here.
    public let name: String
  }

  /// The table that is part of the program. It is read when it is asked for first.
  public static let shared = Gazetteer()

  /// All towns: those of a country together, the largest first.
  public let towns: [Town]
  /// All countries.
  public let countries: [Country]
  private var byName: [String: [Int]] = [:]
  private var byCountry: [String: Int] = [:]
  /// The towns in each square of a degree.
  private var squares: [Int: [Int]] = [:]

  private init() {
    var (towns, countries): ([Town], [Country]) = ([], [])
    var count = 0
    let start = CTowns.towns(&count)
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t")
      let names = fields.last.map { (fields.count == 2 ? $0 : fields[0]).split(separator: ";") } ?? []
      guard let name = names.first.map(String.init) else { continue }
      if fields.count == 2 {
        for known in names + fields.prefix(1) { byCountry[known.lowercased()] = countries.count }
        countries.append(Country(code: String(fields[0]), name: name))
      } else if fields.count == 4, let north = Double(fields[1]), let east = Double(fields[2]),
        let thousands = Int(fields[3]), let country = countries.last?.code
      {
        for known in names { byName[known.lowercased(), default: []].append(towns.count) }
        squares[Self.square(north, east), default: []].append(towns.count)
        towns.append(Town(name: name, country: country, latitude: north, longitude: east, thousands: thousands))
      }
    }
    (self.towns, self.countries) = (towns, countries)
  }

  /// The towns of a name, the largest first: `Wien`, `vienna`, `Vienna, US`.
  public func towns(named text: String) -> [Town] {
    func known(_ name: Substring) -> [Town] { (byName[Self.trimmed(name).lowercased()] ?? []).map { towns[$0] } }
    var found = known(text[...])
    if found.isEmpty, let comma = text.lastIndex(of: ","),
      let country = country(Self.trimmed(text[comma...].dropFirst()))?.code
    {
      found = known(text[..<comma]).filter { $0.country == country }
    }
    return found.sorted { ($0.thousands, $1.text) > ($1.thousands, $0.text) }
  }

  /// The country of a code or a name.
  public func country(_ text: String) -> Country? { byCountry[text.lowercased()].map { countries[$0] } }

  /// The names of all towns, those of the largest first.
  public static let names = shared.byName.map {
    (name: $0.key, size: $0.value.map { shared.towns[$0].thousands }.max() ?? 0)
  }
  .sorted { ($0.size, $1.name) > ($1.size, $0.name) }.map(\.name)

  /// All towns, the largest first.
  public static let bySize = shared.towns.sorted {
    $0.thousands == $1.thousands ? $0.text > $1.text : $0.thousands > $1.thousands
  }

  /// The names of all countries.
  public var countryNames: [String] { byCountry.keys.sorted() }

  /// The town that is nearest to a place.
  ///
  /// - Returns: Nil if none is within some 300 km, as on an ocean.
  public func nearest(latitude: Double, longitude: Double) -> (town: Town, metres: Double)? {
    var best: (town: Town, metres: Double)?
    eachTown(around: latitude, longitude) { town, metres in
      if metres < best?.metres ?? .infinity { best = (town, metres) }
      return best?.metres ?? .infinity
    }
    return best
  }

  /// The town that a person would name a place by: the largest that reaches there, else the nearest.
  ///
  /// - Parameter radius: How far the place itself reaches, in metres.
  /// - Returns: Nil if none is within some 300 km, as on an ocean.
  public func town(at latitude: Double, _ longitude: Double, radius: Double = 0) -> (town: Town, metres: Double)? {
    var largest: (town: Town, metres: Double)?
    eachTown(around: latitude, longitude) { town, metres in
      if metres < max(radius, Double(town.radius)), town.thousands > largest?.town.thousands ?? -1 {
        largest = (town, metres)
      }
      return max(radius, Double(Town.mostRadius))
    }
    return largest ?? nearest(latitude: latitude, longitude: longitude)
  }

  /// Visits towns around a place, until those that were not visited are all farther than `visit` still asks for.
  private func eachTown(around latitude: Double, _ longitude: Double, _ visit: (Town, Double) -> Double) {
    let narrowing = max(0.05, cos(latitude * .pi / 180))
    var reach = Double.infinity
    for ring in 0...Self.mostRings where Double(ring - 1) * narrowing * Self.metresPerDegree < reach {
      for index in squares(around: latitude, longitude, ring) {
        let metres = Self.metres(towns[index], latitude, longitude, narrowing)
        if metres < Self.mostMetres { reach = visit(towns[index], metres) }
      }
    }
  }

  private static let mostMetres = 300_000.0
  private static let mostRings = 12
  private static let metresPerDegree = 111_195.0

  private static func metres(_ town: Town, _ north: Double, _ east: Double, _ narrowing: Double) -> Double {
    var apart = abs(town.longitude - east)
    if apart > 180 { apart = 360 - apart }
    return hypot(town.latitude - north, apart * narrowing) * metresPerDegree
  }

  private func squares(around north: Double, _ east: Double, _ ring: Int) -> [Int] {
    var found: [Int] = []
    for row in -ring...ring {
      let step = abs(row) == ring ? 1 : max(1, 2 * ring)
      for column in stride(from: -ring, through: ring, by: step) {
        found += squares[Self.square(north + Double(row), east + Double(column))] ?? []
      }
    }
    return found
  }

  private static func square(_ north: Double, _ east: Double) -> Int {
    let column = (Int((east + 180).rounded(.down)) + 360) % 360
    return Int((north + 90).rounded(.down)) * 360 + column
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

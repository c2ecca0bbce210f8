import Gazetteer
import Glibc
import PropertyTesting
import Testing

struct GazetteerTests {
  private static let table = Gazetteer.shared

  @Test func `each town lies on the earth, in a known country, and is found by its name`() {
    #expect(Self.table.towns.count > 15_000 && Self.table.countries.count > 200)
    for town in Self.table.towns {
      #expect(abs(town.latitude) <= 90 && abs(town.longitude) <= 180 && !town.name.isEmpty)
      #expect(Self.table.country(town.country)?.code == town.country)
      #expect(Self.table.towns(named: town.name).contains(town), "\(town)")
      #expect(Self.table.towns(named: town.text).contains(town), "\(town)")
    }
  }

  @Test(arguments: ["Wien", "vienna", " VIENNA ", "Vienna, AT", "wien,österreich"])
  func `a town has the names that people write`(name: String) {
    #expect(Self.table.towns(named: name).first?.text == "Vienna, AT")
  }

  @Test func `names without marks are known, and a country decides between towns of one name`() {
    #expect(Self.table.towns(named: "zurich").first?.name == "Zürich")
    #expect(Self.table.towns(named: "Birmingham").map(\.country).prefix(2) == ["GB", "US"])
    #expect(Self.table.towns(named: "Birmingham, usa").map(\.text) == ["Birmingham, US"])
    #expect(Self.table.towns(named: "Birmingham, Atlantis").isEmpty && Self.table.towns(named: "").isEmpty)
    #expect(Self.table.country("deutschland")?.name == "Germany" && Self.table.country("de")?.code == "DE")
    #expect(Self.table.country("") == nil)
  }

  @Test(arguments: PropertyTest.seeds(sample: 300, whole: 5000))
  func `the nearest town is the one that comparing all finds`(seed: UInt64) {
    var dice = Dice(state: seed)
    // Half of the places are near a town, many of those near the edges of the table's squares.
    let town = Self.table.towns.randomElement(using: &dice)!
    let isNear = dice.below(2) == 0
    let north = isNear ? town.latitude + Double(dice.below(100) - 50) / 40 : Double(dice.below(1601) - 800) / 10
    let east = isNear ? town.longitude + Double(dice.below(100) - 50) / 40 : Double(dice.below(3601) - 1800) / 10
    let all = Self.table.towns.map { Self.metres($0, north, east) }.min()!
    let found = Self.table.nearest(latitude: north, longitude: east)
    if all < 300_000 {
      #expect(found.map { abs(Self.metres($0.town, north, east) - all) < 1 } == true, "\(north) \(east)")
    } else {
      #expect(found == nil, "\(north) \(east)")
    }
  }

  @Test func `a place is named by the largest town that reaches there`() {
    // A district of Vienna has an entry of its own.
    #expect(Self.table.town(at: 48.213, 16.408)?.town.name == "Vienna")
    #expect(Self.table.town(at: 47.07, 15.44)?.town.name == "Graz")
    #expect(Self.table.town(at: 47.5, 15.44, radius: 150_000)?.town.name == "Vienna")
    #expect(Self.table.town(at: -50, -120) == nil)
  }

  private static func metres(_ town: Town, _ north: Double, _ east: Double) -> Double {
    let apart = abs(town.longitude - east)
    let narrowing = max(0.05, cos(north * .pi / 180))
    let (y, x) = (town.latitude - north, min(apart, 360 - apart) * narrowing)
    return (x * x + y * y).squareRoot() * 111_195
  }
}

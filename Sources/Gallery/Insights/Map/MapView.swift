import Glibc
import Storage

/// A part of the earth as a map: degrees of longitude are as wide everywhere, and what is in the middle has its true form.
struct MapView: Sendable, Equatable {
  /// The middle.
  var latitude: Double
  var longitude: Double
  /// Each step shows half as many degrees.
  var zoom: Int

  static let whole = MapView(latitude: 0, longitude: 0, zoom: 0)
  /// At the last one a cell is some 40 metres wide.
  static let zooms = 0...15

  /// How many cells are side by side. What lies in a cell is shown as one.
  static let columns = 24.0

  /// How many degrees of longitude it shows.
  var width: Double { 360 / Double(1 << zoom) }
  /// How many degrees of latitude it shows.
  var height: Double { zoom == 0 ? 180 : width / 2 * narrowing }
  /// How much shorter a degree of longitude is in the middle than at the equator.
  private var narrowing: Double { zoom == 0 ? 1 : max(0.1, cos(latitude * .pi / 180)) }
  private var cell: Double { width / Self.columns }

  /// Where a place is, from 0 to 1 from west to east and from north to south; nil if it is outside.
  func point(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double)? {
    let (x, y) = (Self.turned(longitude - self.longitude) / width + 0.5, (self.latitude - latitude) / height + 0.5)
    return (0...1).contains(x) && (0...1).contains(y) ? (x, y) : nil
  }

  /// The same in the half-open circle from -180 to 180 degrees.
  static func turned(_ degrees: Double) -> Double { degrees - 360 * ((degrees + 180) / 360).rounded(.down) }

  /// Another view, moved by parts of its width and height.
  func moved(east: Double = 0, north: Double = 0) -> MapView {
    let reach = max(0, 90 - height / 2)
    return MapView(
      latitude: min(max(latitude + north * height, -reach), reach), longitude: Self.turned(longitude + east * width),
      zoom: zoom)
  }

  /// The same middle, nearer or farther.
  func zoomed(by steps: Int) -> MapView {
    let zoom = min(max(zoom + steps, Self.zooms.lowerBound), Self.zooms.upperBound)
    return zoom == 0 ? .whole : MapView(latitude: latitude, longitude: longitude, zoom: zoom)
  }

  /// Degrees as they stand in addresses.
  static func degrees(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

  /// Files that were taken so near to each other that they are shown as one.
  struct Cluster: Sendable, Equatable {
    var count = 0
    /// The middle of its files.
    var latitude = 0.0
    var longitude = 0.0
    /// How far its files are from the middle at most, in metres.
    var radius = 0.0

    /// One cluster with the files of both.
    func joined(with other: Cluster) -> Cluster {
      let sum = count + other.count
      let part = Double(other.count) / Double(sum)
      var joined = Cluster(
        count: sum, latitude: latitude + (other.latitude - latitude) * part,
        longitude: MapView.turned(longitude + MapView.turned(other.longitude - longitude) * part))
      joined.radius = [self, other].map { $0.radius + joined.distance(to: $0) }.max() ?? 0
      return joined
    }

    private func distance(to other: Cluster) -> Double {
      hypot(other.latitude - latitude, MapView.turned(other.longitude - longitude) * cos(latitude * .pi / 180))
        * metresPerDegree
    }
  }

  /// What is known of the files of a cell while they are counted.
  private struct Cell {
    var count = 0
    /// Sums of degrees.
    var (north, east) = (0.0, 0.0)
    /// The corners of the box around the files.
    var low: FilePosition
    var high: FilePosition

    init(at position: FilePosition) { (low, high) = (position, position) }

    mutating func add(_ position: FilePosition) {
      count += 1
      north += Double(position.latitude)
      east += Double(position.longitude)
      low.latitude = min(low.latitude, position.latitude)
      low.longitude = min(low.longitude, position.longitude)
      high.latitude = max(high.latitude, position.latitude)
      high.longitude = max(high.longitude, position.longitude)
    }
  }

  /// The clusters in view, the largest first.
  func clusters(of positions: [FilePosition]) -> [Cluster] {
    // The cells stand still while the map moves over them.
    func index(_ position: FilePosition) -> Int? {
      guard point(Double(position.latitude), Double(position.longitude)) != nil else { return nil }
      let row = ((Double(position.latitude) + 90) / (cell * narrowing)).rounded(.down)
      return Int(row) << 24 | Int(((Double(position.longitude) + 180) / cell).rounded(.down))
    }
    var cells: [Int: Cell] = [:]
    for position in positions {
      if let index = index(position) { cells[index, default: Cell(at: position)].add(position) }
    }
    return cells.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.map { entry in
      let (cell, count) = (entry.value, Double(entry.value.count))
      let (north, east) = (cell.north / count, cell.east / count)
      let reach = max(Double(cell.high.latitude) - north, north - Double(cell.low.latitude))
      let side = max(Double(cell.high.longitude) - east, east - Double(cell.low.longitude)) * cos(north * .pi / 180)
      return Cluster(
        count: cell.count, latitude: north, longitude: east, radius: hypot(reach, side) * metresPerDegree)
    }
  }

}

private let metresPerDegree = 111_195.0

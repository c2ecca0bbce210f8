import Gazetteer
import Storage
import Web
import Wording

/// Where the pictures of a list were taken. The map is drawn here, from the places of pictures and of towns alone: nothing is
/// loaded from elsewhere.
struct MapPage {
  let request: MapRequest
  let positions: [FilePosition]

  private static let (width, height) = (1200.0, 600.0)
  /// How many towns are drawn as dots, which show where land is, and how many clusters are named below.
  private static let (mostDots, mostNamed) = (3000, 60)

  private var view: MapView { request.view }

  var html: HTML {
    let clusters = view.clusters(of: positions)
    let shown = clusters.reduce(0) { $0 + $1.count }
    return PageFrame.html(
      "Map", .map, scripts: ["map.js"], styles: ["insights.css"],
      """
      <main class="page map"><div class="head"><h1>Map</h1><p class="soft">\(NumberText.count(positions.count, "file")) \
      with a place\(ListText.html(of: request.list, all: "/map"))\(shown < positions.count ? ", \(shown) of them here" : "")</p></div>
      \(positions.isEmpty ? nothing : "\(steps)\(map(clusters))\(list(clusters))")
      </main>
      """)
  }

  private var nothing: HTML {
    """
    <p class="soft">No picture here says where it was taken. Most services remove that; Flickr's originals, feeds and your own \
    files keep it. <code>media look</code> reads files that were stored before.</p>
    """
  }

  // MARK: The map

  private func map(_ clusters: [MapView.Cluster]) -> HTML {
    """
    <div class="earth" tabindex="0" autofocus><svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="group" aria-label="Map">\
    <rect class="sea" width="100%" height="100%"/>\(towns)\(HTML.joined(clusters.reversed().map(circle)))</svg></div>
    """
  }

  /// Dots where towns are, and the names of the largest that have room.
  private var towns: HTML {
    var seen: [(town: Town, x: Double, y: Double)] = []
    for town in Gazetteer.bySize where seen.count < Self.mostDots {
      guard let point = view.point(town.latitude, town.longitude) else { continue }
      seen.append((town, point.x * Self.width, point.y * Self.height))
    }
    let path = seen.map { "M\(Int($0.x)) \(Int($0.y))h0" }.joined()
    var named: [(x: Double, y: Double)] = []
    var names: HTML = ""
    for (town, x, y) in seen where named.count < 40 {
      guard !named.contains(where: { abs($0.x - x) < 130 && abs($0.y - y) < 28 }) else { continue }
      named.append((x, y))
      let isAtEnd = x > Self.width - 120
      names =
        names
        + "<text x=\"\(Int(x) + (isAtEnd ? -6 : 6))\" y=\"\(Int(y) + 4)\"\(isAtEnd ? " text-anchor=\"end\"" : "" as HTML)>\(town.name)</text>"
    }
    return "<path class=\"towns\" d=\"\(path)\"/><g class=\"names\" aria-hidden=\"true\">\(names)</g>"
  }

  private func circle(_ cluster: MapView.Cluster) -> HTML {
    guard let point = view.point(cluster.latitude, cluster.longitude) else { return "" }
    let (x, y) = (Int(point.x * Self.width), Int(point.y * Self.height))
    let digits = "\(cluster.count)".count
    return """
      <a href="\(closer(cluster))"><title>\(name(cluster)): \(NumberText.count(cluster.count, "file"))</title>\
      <circle cx="\(x)" cy="\(y)" r="\(9 + 4 * digits)"/><text x="\(x)" y="\(y + 5)">\(cluster.count)</text></a>
      """
  }

  /// A click comes nearer, until a cluster can be shown no nearer; then it lists the files.
  private func closer(_ cluster: MapView.Cluster) -> String {
    guard view.zoom < MapView.zooms.upperBound, cluster.count > 1, cluster.radius > 50 else { return link(cluster) }
    return request.link(
      MapView(latitude: cluster.latitude, longitude: cluster.longitude, zoom: view.zoom).zoomed(by: 2))
  }

  private func link(_ cluster: MapView.Cluster) -> String {
    request.link(around: cluster.latitude, cluster.longitude, metres: cluster.radius + 50)
  }

  private func name(_ cluster: MapView.Cluster) -> String {
    Gazetteer.shared.town(at: cluster.latitude, cluster.longitude, radius: cluster.radius).map { found in
      if cluster.radius > Double(found.town.radius), found.metres < cluster.radius {
        return "around \(found.town.text)"
      }
      let kilometres = Int((found.metres / 1000).rounded())
      return found.metres < Double(found.town.radius) ? found.town.text : "\(kilometres) km from \(found.town.text)"
    } ?? "\(MapView.degrees(cluster.latitude))°, \(MapView.degrees(cluster.longitude))°"
  }

  // MARK: Beside it

  private var steps: HTML {
    func step(_ words: HTML, _ key: HTML, _ view: MapView) -> HTML {
      view == self.view
        ? "" : "<a class=\"button\" aria-keyshortcuts=\"\(key)\" href=\"\(request.link(view))\">\(words)</a>\n"
    }
    let isWhole = view.zoom == 0
    return """
      <nav class="steps" aria-label="Parts of the map">\(step("Closer", "+", view.zoomed(by: 1)))\
      \(step("Farther", "-", view.zoomed(by: -1)))\(isWhole ? "" : step("West", "ArrowLeft", view.moved(east: -0.5)))\
      \(isWhole ? "" : step("North", "ArrowUp", view.moved(north: 0.5)))\
      \(isWhole ? "" : step("South", "ArrowDown", view.moved(north: -0.5)))\
      \(isWhole ? "" : step("East", "ArrowRight", view.moved(east: 0.5)))\(step("Whole earth", "0", .whole))</nav>
      """
  }

  private func list(_ clusters: [MapView.Cluster]) -> HTML {
    // Several cells of one town are one line.
    let byName = Dictionary(grouping: clusters, by: name).mapValues { parts in
      parts.dropFirst().reduce(parts[0]) { $0.joined(with: $1) }
    }
    let sorted = byName.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
    let rows = sorted.prefix(Self.mostNamed).map { name, cluster -> HTML in
      "<li><a href=\"\(link(cluster))\"><bdi>\(name)</bdi></a> <span>\(cluster.count)</span></li>"
    }
    return clusters.isEmpty
      ? "<p class=\"soft\">Nothing was taken in this part.</p>" : "<ul class=\"spots\">\(HTML.joined(rows))</ul>"
  }
}

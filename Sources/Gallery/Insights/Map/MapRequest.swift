import MediaLibrary
import Storage
import Web

/// Which part of the earth the map of which list shows.
struct MapRequest: Sendable {
  let list: ListAddress
  let view: MapView

  init(_ fields: Fields) throws(RequestError) {
    list = ListAddress(fields)
    var view = MapView.whole
    if let text = fields["zoom"], !text.isEmpty {
      guard let zoom = Int(text), MapView.zooms.contains(zoom) else {
        throw .badParameter("zoom", must: "a number from 0 to \(MapView.zooms.upperBound)")
      }
      view.zoom = zoom
    }
    if let text = fields["at"], !text.isEmpty {
      // Written as in a filter, which says what a place is.
      guard case .term(let term)? = try? Filter(parsing: "near:\(text)"),
        case .area(let area)? = term.values.first, text.count(where: { $0 == "," }) == 1
      else { throw .badParameter("at", must: "degrees north and east, such as 48.1,11.5") }
      (view.latitude, view.longitude) = (area.latitude, area.longitude)
    }
    self.view = view.zoom == 0 ? .whole : view
  }

  /// The address of another view of the same list's map.
  func link(_ view: MapView) -> String {
    let part =
      view.zoom == 0 ? "" : "zoom=\(view.zoom)&at=\(MapView.degrees(view.latitude)),\(MapView.degrees(view.longitude))"
    let query = [list.query, part].filter { !$0.isEmpty }.joined(separator: "&")
    return query.isEmpty ? "/map" : "/map?\(query)"
  }

  /// The address of the list of what was taken around a place.
  func link(around latitude: Double, _ longitude: Double, metres: Double) -> String {
    var list = list
    let area =
      "near:\(MapView.degrees(latitude)),\(MapView.degrees(longitude)),\(min(max(50, Int(metres.rounded(.up))), 2_000_000))m"
    let filters = [list.search, area].compactMap(\.self).compactMap { try? Filter(parsing: $0) }
    list.search = "\(Filter.conjunction(filters))"
    return "/?\(list.query)"
  }

  /// The posts whose files are on the map: those of the list that have a place.
  func query(in library: Library) throws -> PostListQuery {
    var query = try list.list(in: library, isOwners: true)
    let hasPlace = Filter.term(.init(.has, [.word("gps")]))
    query.filter = PostFilter(
      query.filter.map { .conjunction([$0.filter, hasPlace]) } ?? hasPlace, now: library.now(), searchesNotes: true)
    return query.listed(at: library.now())
  }
}

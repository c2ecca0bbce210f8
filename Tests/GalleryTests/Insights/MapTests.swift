import Blobs
import Foundation
import MediaLibrary
import PropertyTesting
import Testing

@testable import Gallery
@testable import Storage

struct MapTests {
  /// Saves a post of a picture that was taken there.
  private func save(_ number: Int, _ latitude: Double, _ longitude: Double, in library: Library) throws -> Int64 {
    let post = try library.save(shot(number, caption: "picture \(number)"), with: Array("GIF89a\(number)".utf8))
    let file = try #require(try library.store.filesToInspect(for: [.facts], of: [post], atMost: 1).first)
    var (inspection, facts) = (FileInspection(of: file.number), FileFacts())
    (facts.latitude, facts.longitude) = (latitude, longitude)
    inspection.facts = .found(facts)
    try library.store.keep([inspection], now: servedAt)
    return post
  }

  private func counts(_ page: String) -> [Int] {
    page.matches(of: /<circle [^>]*\/><text[^>]*>([0-9]+)<\/text>/).compactMap { Int($0.1) }.sorted()
  }

  @Test func `the map shows where a list's pictures were taken, and leads to them`() async throws {
    try await InsightServer.run { server in
      for (number, place) in [(48.21, 16.37), (48.2, 16.38), (48.19, 16.36), (35.68, 139.7), (-33.9, 18.4)].enumerated()
      {
        _ = try save(number + 1, place.0, place.1, in: server.library)
      }
      let deleted = try save(6, 40.7, -74, in: server.library)
      try server.library.delete([deleted])
      let page = try await server.page("/map")
      #expect(counts(page) == [1, 1, 3] && page.contains("5 files with a place"))
      #expect(page.contains("<bdi>Vienna, AT</bdi>") && page.contains("Tokyo") && !page.contains("<script>"))
      let link = try #require(page.firstMatch(of: /<li><a href="([^"]*)"><bdi>Vienna/)).1
      let list = try await server.page(link.replacingOccurrences(of: "&amp;", with: "&"))
      for number in 1...5 { #expect(list.contains("picture \(number)<") == (number < 4), "\(number)") }
      // Nearer, they are apart.
      #expect(try await counts(server.page("/map?zoom=12&at=48.2,16.37")) == [1, 1, 1])
      #expect(try await server.page("/map?zoom=3&at=0,-150").contains("Nothing was taken in this part."))
      let words = "\"picture 4\" OR \"picture 5\"".queryEncoded
      #expect(try await counts(server.page("/map?q=\(words)")) == [1, 1])
      #expect(try await server.page("/map?q=nothing").contains("No picture here says where it was taken."))
      for wrong in ["zoom=16", "zoom=-1", "zoom=x", "at=48", "at=91,0", "at=1,2,3km", "at=nan,0", "at=1,2%20OR%20cats"]
      {
        #expect(try await server.get("/map?\(wrong)").status == 400, "\(wrong)")
      }
    }
  }

  @Test func `the map is for whoever may mark posts alone`() async throws {
    try await withGallery(.init(isReadOnly: true)) { gallery in
      let answer = try await gallery.get("/map", try await gallery.cookie())
      #expect(answer.status == 403)
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 5000))
  func `each file in view is in one cluster, near its middle`(seed: UInt64) {
    var dice = Dice(state: seed)
    func within(_ reach: Int) -> Double { Double(dice.below(2 * reach * 1000 + 1)) / 1000 - Double(reach) }
    let zoom = dice.below(16)
    let view =
      zoom == 0 ? MapView.whole : MapView(latitude: within(85), longitude: MapView.turned(within(180)), zoom: zoom)
    let positions = (0..<dice.below(200) + 1).map { _ in
      FilePosition(
        latitude: Float(min(max(view.latitude + within(90) / Double(1 << zoom), -90), 90)),
        longitude: Float(MapView.turned(view.longitude + within(180) / Double(1 << zoom))))
    }
    let seen = positions.filter { view.point(Double($0.latitude), Double($0.longitude)) != nil }
    let clusters = view.clusters(of: positions)
    #expect(clusters.reduce(0) { $0 + $1.count } == seen.count, "seed \(seed)")
    #expect(clusters.allSatisfy { view.point($0.latitude, $0.longitude) != nil || $0.count > 1 }, "seed \(seed)")
    let sizes = clusters.map(\.count)
    #expect(sizes == sizes.sorted(by: >), "seed \(seed)")
    // The same places moved around the earth are the same clusters.
    let moved = view.moved(east: 1).moved(east: -1)
    #expect(abs(moved.longitude - view.longitude) < 1e-6 && moved.zoom == view.zoom, "seed \(seed)")
  }
}

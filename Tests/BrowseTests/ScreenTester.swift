import Foundation
import MediaLibrary
import Terminal

@testable import Browse

/// A screen with simulated keys and a controlled clock.
struct ScreenTester {
  private(set) var screen: ListScreen
  private(set) var effects: [Effect] = []
  private(set) var now = Date(timeIntervalSince1970: 1_795_168_800)
  private let size: (columns: Int, rows: Int)

  /// The screen of a list with these rows.
  init(
    _ columns: Int = 80, _ rows: Int = 24, posts: [ListRow]? = ScreenTester.posts, scope: ListScope = ScreenTester.cats,
    isStill: Bool = true, zone: TimeZone = .gmt
  ) throws {
    screen = ListScreen(zone: zone, isStill: isStill)
    size = (columns, rows)
    send(.time(now), .size(columns: columns, rows: rows), .scope(scope))
    if let posts { send(.list(ScreenTester.reading(posts))) }
  }

  static let cats = ListScope(title: "#cats", origin: "mastodon.social", canRefresh: true, canPullOlder: true)

  /// Twelve posts, an hour apart, over two days.
  static let posts: [ListRow] = (1...12).map { number in
    post(Int64(13 - number), hours: Double(number), "Post \(13 - number) of the cats in the garden. #cats")
  }

  static func post(_ id: Int64, hours: Double, _ caption: String, tags: [String] = ["cats"]) -> ListRow {
    ListRow(
      id: id, name: "Birds & Bees", handle: "birds@mastodon.social",
      createdAt: Date(timeIntervalSince1970: 1_795_168_800 - hours * 3600), caption: caption, tags: tags)
  }

  static func reading(_ rows: [ListRow], before: Bool = false, after: Bool = false) -> ListReading {
    var sections: [ListReading.Section] = []
    for (index, row) in rows.enumerated() {
      let isSame = sections.last.map { day(of: $0.day) == day(of: row.createdAt) } ?? false
      let start = isSame ? sections.removeLast().rows.lowerBound : index
      sections.append(.init(day: row.createdAt, count: .exactly(index + 1 - start), rows: start..<(index + 1)))
    }
    return ListReading(rows: rows, sections: sections, hasMoreBefore: before, hasMoreAfter: after)
  }

  private static func day(of date: Date) -> Int { Int(date.timeIntervalSince1970 / 86_400) }

  /// The lines of the screen.
  var lines: [String] { canvas.lines }

  /// The screen as one string.
  var text: String { lines.joined(separator: "\n") }

  var canvas: Canvas {
    var canvas = Canvas(columns: size.columns, rows: size.rows)
    screen.draw(into: &canvas)
    return canvas
  }

  mutating func send(_ events: ScreenEvent...) {
    for event in events { effects += screen.handle(event) }
  }

  mutating func press(_ keys: Key...) {
    for key in keys { send(.input(.key(key))) }
  }

  mutating func type(_ text: String) {
    for character in text { send(.input(.key(.character(character)))) }
  }

  mutating func pass(_ seconds: Double) {
    now += seconds
    send(.time(now))
  }

  /// Removes and returns the effects since the last call.
  mutating func done() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

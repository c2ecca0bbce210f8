import Foundation
import PostgreSQLServer
import Posts
import SQLite
import Testing

@testable import Storage

/// Walks down pages of other sites, some of which are stopped.
struct PageWalkTests {
  private static let page = Feed.importing("https://art.example/cats")

  private func store(isShared: Bool) throws -> Store {
    isShared
      ? try Store.open(try PostgreSQLServer.shared().newDatabase(), shownAs: "/l", for: .writing)
      : try Store(Connections())
  }

  @Test(arguments: [false, true])
  func `what came in a stopped walk is known, and settles nothing until a walk comes past it`(isShared: Bool) throws {
    let store = try store(isShared: isShared)
    defer { store.close() }
    func save(_ numbers: [Int], at now: Date) throws {
      _ = try store.save(numbers.map { ImportItem(item(post($0)), replaces: false) }, of: Self.page, now: now)
    }
    func known(_ walk: PageWalk) throws -> [String: Bool] {
      var known: [String: Bool] = [:]
      try store.eachWholeAnswer(of: Self.page, since: walk.since) { answer, isSettled in
        known[String(decoding: answer, as: UTF8.self).split(separator: "/").last.map(String.init) ?? ""] = isSettled
      }
      return known
    }
    func time(_ minute: Int) -> Date { noon.addingTimeInterval(Double(minute) * 60) }

    let first = try store.beginWalk(of: Self.page, now: time(0))
    try save([1, 2], at: time(1))
    #expect(try store.gaps(of: Self.page).map(\.kind) == [.unfinished])
    try store.endWalk(first, isFinished: true, now: time(2))
    #expect(try store.gaps(of: Self.page).isEmpty)

    // Its process dies.
    let second = try store.beginWalk(of: Self.page, now: time(10))
    try save([5], at: time(11))
    #expect(try known(second) == ["1\"}": true, "2\"}": true, "5\"}": false])
    let third = try store.beginWalk(of: Self.page, now: time(20))
    #expect(third == second, "it goes on as the same")
    try save([4], at: time(21))
    try store.endWalk(third, isFinished: false, now: time(22))
    #expect(try store.gaps(of: Self.page).map(\.kind) == [.unfinished])
    let fourth = try store.beginWalk(of: Self.page, now: time(30))
    #expect(try known(fourth) == ["1\"}": true, "2\"}": true, "4\"}": false, "5\"}": false])
    try store.endWalk(fourth, isFinished: true, now: time(31))
    #expect(try store.gaps(of: Self.page).isEmpty)
    let fifth = try store.beginWalk(of: Self.page, now: time(40))
    #expect(try known(fifth).values.allSatisfy { $0 } && known(fifth).count == 4)
    try store.delete([1], now: time(41))
    #expect(try known(fifth).count == 4, "what was deleted is known, too")
  }
}

import Folders
import Foundation
import Posts
import Testing

@testable import Storage

struct RateTests {
  private let key = RateKey(host: "birds.example", login: "", kind: .page)
  private let hour = noon.addingTimeInterval(3600)

  @Test func `a rate budget is stored unchanged, for its key alone`() throws {
    let store = try TestLibrary().store
    #expect(try store.rateBudget(of: key) == nil)
    var stored = RateBudget(quota: 300, remaining: 290, endsAt: hour)
    (stored.held, stored.taken, stored.closedUntil, stored.probedAt) = (10, 20, noon, hour)
    try store.changeRateBudget(of: key, now: noon) { $0 = stored }
    #expect(try store.rateBudget(of: key) == stored)
    for other in [
      RateKey(host: "birds.example", login: "ab", kind: .page), RateKey(host: "birds.example", login: "", kind: .media),
      RateKey(host: "cats.example", login: "", kind: .page),
    ] { #expect(try store.rateBudget(of: other) == nil) }
    try store.changeRateBudget(of: key, now: noon) { $0 = nil }
    #expect(try store.rateBudget(of: key) == nil)
  }

  @Test func `an answer without changes writes nothing`() throws {
    let library = try TestLibrary()
    try library.store.changeRateBudget(of: key, now: noon) { $0 = RateBudget(quota: 1, remaining: 1, endsAt: hour) }
    let before = try library.lines("SELECT total_changes()")
    try library.store.changeRateBudget(of: key, now: noon) { $0?.remaining = 1 }
    #expect(try library.lines("SELECT total_changes()") == before)
  }

  @Test func `old windows are deleted when a new host comes`() throws {
    let store = try TestLibrary().store
    try store.changeRateBudget(of: key, now: noon) { $0 = RateBudget(quota: 1, remaining: 1, endsAt: noon) }
    let other = RateKey(host: "cats.example", login: "", kind: .page)
    for (days, isKept) in [(6, true), (8, false)] {
      let now = noon.addingTimeInterval(Double(days) * 86_400)
      try store.changeRateBudget(of: other, now: now) { $0 = nil }
      try store.changeRateBudget(of: other, now: now) { $0 = RateBudget(quota: 1, remaining: 1, endsAt: now) }
      #expect(try (store.rateBudget(of: key) != nil) == isKept)
    }
  }

  @Test func `two processes that take from a budget at once never take the same request`() async throws {
    let scratch = try Scratch()
    let (path, key, hour) = (scratch.path, key, hour)
    try Store.open(library: path, now: noon).changeRateBudget(of: key, now: noon) {
      $0 = RateBudget(quota: 200, remaining: 200, endsAt: hour)
    }
    let granted = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try Store.open(library: path, now: noon)
          var granted = 0
          while try store.changeRateBudget(
            of: key, now: noon,
            {
              guard let left = $0?.remaining, left > 0 else { return false }
              $0?.remaining = left - 1
              return true
            })
          { granted += 1 }
          return granted
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(granted == 200)
  }
}

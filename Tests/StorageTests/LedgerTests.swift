import Foundation
import Posts
import Testing

@testable import Storage

struct LedgerTests {
  private func counts(new: Int) -> HarvestRun.Counts {
    var counts = HarvestRun.Counts()
    (counts.new, counts.pages, counts.requests, counts.bytes, counts.pictures) = (new, 1, 2, 300, 4)
    return counts
  }

  private func run(_ store: Store, new: Int, at moment: Date) throws {
    let run = try store.beginRun(of: 1, process: 7, now: moment)
    try store.note(HarvestRun.Part(feed: cats, outcome: .well, counts: counts(new: new)), in: run)
    let event = LogLine(.feedRead, .info, at: moment, feed: cats, count: new, "\(new) new")
    try store.finishRun(
      run, as: .done, code: 0, requests: 2, bytes: 300, waited: .zero, events: [event], now: moment)
  }

  @Test func `a harvest's record is correct at whatever moment it ends`() throws {
    let store = try TestLibrary().store
    let run = try store.beginRun(of: 3, process: 7, now: noon)
    #expect(try store.runs(limit: 9).map(\.state) == [.open])
    try store.note(HarvestRun.Part(feed: cats, outcome: .well, counts: counts(new: 5)), in: run)
    let open = try #require(try store.runs(limit: 9).first)
    #expect((open.planned, open.feeds, open.counts, open.finishedAt) == (3, 1, counts(new: 5), nil))
    _ = try store.beginRun(of: 1, process: 8, now: noon)
    #expect(try store.runs(limit: 9).map(\.state) == [.open, .cutOff])
  }

  @Test func `an ended harvest has its cost`() throws {
    let store = try TestLibrary().store
    let run = try store.beginRun(of: 1, process: 7, now: noon)
    try store.add(counts(new: 0), to: run)
    let end = noon.addingTimeInterval(60)
    try store.finishRun(
      run, as: .interrupted, code: 130, requests: 9, bytes: 5000, waited: .milliseconds(1500), now: end)
    let stored = try #require(try store.runs(limit: 1).first)
    #expect((stored.state, stored.code, stored.process, stored.feeds) == (.interrupted, 130, 7, 0))
    #expect((stored.startedAt, stored.finishedAt, stored.waited) == (noon, end, .milliseconds(1500)))
    #expect((stored.counts.requests, stored.counts.bytes, stored.counts.pictures) == (9, 5000, 4))
  }

  @Test func `feeds that brought nothing are counted and not listed`() throws {
    let store = try TestLibrary().store
    let run = try store.beginRun(of: 3, process: 7, now: noon)
    var quiet = HarvestRun.Counts()
    (quiet.pages, quiet.requests, quiet.unchanged) = (1, 1, 20)
    let other = Feed(source: .usual, kind: .tag, value: "dogs", server: social)
    try store.note(HarvestRun.Part(feed: cats, outcome: .well, counts: quiet), in: run)
    let failed = HarvestRun.Part(feed: other, outcome: .failed, failure: "it is a web page")
    try store.note(failed, in: run)
    let limited = HarvestRun.Part(feed: other, outcome: .limited, failure: "until 14:05")
    try store.note(limited, in: run)
    let stored = try #require(try store.runs(limit: 1).first)
    #expect((stored.feeds, stored.failed, stored.limited) == (3, 1, 1))
    #expect(stored.parts == [failed, limited])
  }

  @Test func `a pull by hand is a run that is no harvest, and brings back no feed without a row`() throws {
    let store = try TestLibrary().store
    try run(store, new: 5, at: noon)
    let failed = HarvestRun.Part(feed: cats, outcome: .failed, failure: "refused")
    let mistyped = Feed(source: .usual, kind: .tag, value: "dmeo", server: social)
    var unknown = failed
    unknown.feed = mistyped
    let event = LogLine(.feedFailed, .error, at: noon, feed: mistyped, "refused")
    for part in [failed, unknown] {
      try store.recordPull(part, as: .done, code: 69, from: noon + 60, events: [event], now: noon + 90)
    }
    #expect(try store.runs(limit: 9).map(\.counts.new) == [5])
    let all = try store.runs(limit: 9, withPulls: true)
    #expect(all.map(\.isByHand) == [true, true, false] && all.map(\.parts.count) == [0, 1, 1])
    #expect(all.map(\.feed) == [mistyped.name, cats.name, nil])
    let quiet = HarvestRun.Part(feed: cats, outcome: .well)
    try store.recordPull(quiet, as: .done, code: 0, from: noon + 60, events: [], now: noon + 90)
    #expect(try store.runs(limit: 1, withPulls: true).map(\.feed) == [cats.name])
    #expect(all.map { [$0.feeds, $0.failed, $0.putOff] } == [[1, 1, 0], [1, 1, 0], [1, 0, 0]])
    #expect((all[0].startedAt, all[0].finishedAt, all[0].code) == (noon + 60, noon + 90, 69))
    #expect(try store.events(of: all[0].id).map(\.feed) == [mistyped.name])
    #expect(try store.feeds() == [cats])
    // The harvest that begins next cuts it off no more than one that is over.
    _ = try store.beginRun(of: 1, process: 8, now: noon + 120)
    #expect(try store.runs(limit: 9, withPulls: true).map(\.state) == [.open, .done, .done, .done, .done])
  }

  @Test func `the outcome of a feed and its next pull are written together`() throws {
    let store = try TestLibrary().store
    let schedule = Follow.Schedule(interval: .seconds(60), dueAt: noon, pulledAt: noon, state: .well)
    let part = HarvestRun.Part(feed: cats, outcome: .well, counts: counts(new: 1))
    let run = try store.beginRun(of: 1, process: 7, now: noon)
    #expect(try !store.note(part, in: run) { _ in schedule })
    #expect(try store.follows().isEmpty)
    try store.follow(Follow(feed: cats, every: nil, schedule: .init(interval: .seconds(1), dueAt: nil)), now: noon)
    #expect(try store.note(part, in: run) { _ in schedule })
    #expect(try store.follows().map(\.schedule) == [schedule])
  }

  @Test func `after a year only the run that brought most is kept of each day`() throws {
    let library = try TestLibrary()
    let old = noon.addingTimeInterval(-400 * 86_400)
    for (hour, new) in [1, 7, 3].enumerated() {
      try run(library.store, new: new, at: old.addingTimeInterval(Double(hour) * 3600))
    }
    try run(library.store, new: 2, at: old.addingTimeInterval(86_400))
    for new in [4, 5] { try run(library.store, new: new, at: noon.addingTimeInterval(-364 * 86_400)) }
    try run(library.store, new: 6, at: noon)
    #expect(try library.store.runs(limit: 99).map(\.counts.new) == [6, 5, 4, 2, 7])
    for table in ["run_feed", "run_event"] { #expect(try library.lines("SELECT count(*) FROM \(table)") == ["3"]) }
  }
}

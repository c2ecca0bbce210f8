import Foundation
import Posts
import Storage

/// What a store promises of follows and harvests.
public enum HarvestsContract {
  private static func follow(_ feed: Feed, failingSince: Date? = nil) -> Follow {
    var follow = Follow(feed: feed, every: nil, schedule: Follow.Schedule(interval: .seconds(3600), dueAt: noon))
    if let failingSince {
      (follow.schedule.failingSince, follow.schedule.failedAt, follow.schedule.failures) = (failingSince, noon, 3)
      follow.schedule.failure = "no answer"
    }
    return follow
  }

  /// The claims.
  public static let claims = [
    StoreClaim("a followed feed is known to every process, and forgotten when unfollowed") { library in
      try expect(try library.store.follow(follow(cats), now: noon) == nil, true)
      try expect(try library.other.follows().map(\.feed), [cats])
      try expect(try library.other.follow(of: cats)?.schedule.interval, .seconds(3600))
      try expect(try library.other.unfollow(cats), true)
      try expect(try library.store.unfollow(cats), false)
      try expect(try library.store.follows().isEmpty, true)
    },
    StoreClaim("a followed feed is rescheduled by what it was, and no other feed is") { library in
      try library.store.reschedule(cats) { _ in follow(cats).schedule }
      try expect(try library.other.follows().isEmpty, true)
      try library.store.follow(follow(cats, failingSince: noon), now: noon)
      try library.store.reschedule(cats) { _ in nil }
      try expect(try library.other.follow(of: cats)?.schedule.failures, 3)
      try library.store.reschedule(cats) { $0.schedule.failures == 3 ? follow(cats).schedule : nil }
      try expect(try library.other.follow(of: cats), follow(cats))
    },
    StoreClaim("many feeds are followed at once") { library in
      try library.store.follow([follow(cats), follow(dogs)], now: noon)
      try expect(try library.other.follows(), [follow(cats), follow(dogs)])
    },
    StoreClaim("following again tells how the feed was followed before") { library in
      try library.store.follow(follow(cats), now: noon)
      var daily = follow(cats)
      daily.every = .seconds(86_400)
      try expect(try library.store.follow(daily, now: noon)?.every, nil)
      try expect(try library.other.follow(of: cats)?.every, .seconds(86_400))
    },
    StoreClaim("feeds that fail for long are told, the longest first") { library in
      try library.store.follow(follow(cats, failingSince: noon - 60), now: noon)
      try library.store.follow(follow(dogs, failingSince: noon - 600), now: noon)
      try expect(try library.other.follows(failingSince: noon).map(\.feed), [dogs, cats])
      try expect(try library.other.follows(failingSince: noon - 300).map(\.feed), [dogs])
    },
    StoreClaim("a harvest is recorded from its start to its end") { library in
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      var counts = HarvestRun.Counts()
      (counts.pages, counts.new) = (2, 30)
      let part = HarvestRun.Part(feed: cats, outcome: .well, counts: counts)
      try library.store.note(part, in: run)
      try library.store.finishRun(
        run, as: .done, code: 0, requests: 3, bytes: 999, waited: .seconds(1), now: noon + 60)
      let told = try require(try library.other.runs(limit: 9).first)
      try expect(told.id, run)
      try expect(told.state, .done)
      try expect([told.feeds, told.failed, told.counts.new, told.counts.pages], [1, 0, 30, 2])
      try expect(told.finishedAt, noon + 60)
    },
    StoreClaim("what happens in a harvest is kept with each result, in that order") { library in
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      let failed = LogLine(.feedFailed, .error, at: noon, feed: cats, seconds: 1.5, count: 3, "it is a web page\0")
      let waited = LogLine(.hostWaits, .notice, at: noon + 1, host: "a.example", "a.example asks for a pause")
      let part = HarvestRun.Part(feed: cats, outcome: .failed, failure: "it is a web page")
      try library.store.note(part, in: run, events: [failed])
      try library.store.add(HarvestRun.Counts(), to: run, events: [waited])
      try library.store.finishRun(
        run, as: .done, code: 1, requests: 1, bytes: 1, waited: .zero, events: [failed], now: noon + 2)
      var stored = failed
      stored.message = "it is a web page"
      try expect(try library.other.events(of: run), [stored, waited, stored])
      try expect(try library.other.run(run)?.code, 1)
      try expect(try library.other.run(run + 1), nil)
      try expect(try library.other.events(of: run + 1), [])
    },
    StoreClaim("of what went well a harvest keeps less, so that there is room for what did not") { library in
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      let well = LogLine(.feedRead, .info, at: noon, feed: cats, count: 1, "1 new")
      let failed = LogLine(.feedFailed, .error, at: noon, feed: cats, "no answer")
      for _ in 0..<2 {
        let events = Array(repeating: well, count: 150) + Array(repeating: failed, count: 90)
        try library.store.add(HarvestRun.Counts(), to: run, events: events)
      }
      let levels = try library.other.events(of: run).map(\.level)
      try expect(levels, Array(repeating: .info, count: 100) + Array(repeating: .error, count: 100))
    },
    StoreClaim("all harvests together keep the newest events") { library in
      let event = LogLine(.feedFailed, .error, at: noon, feed: cats, "no answer")
      let events = Array(repeating: event, count: Store.mostEventsOfRun)
      var runs: [Int64] = []
      for _ in 0...Int(Store.mostEvents) / Store.mostEventsOfRun {
        runs.append(try library.store.beginRun(of: 1, process: 7, now: noon))
        try library.store.finishRun(
          runs[runs.count - 1], as: .done, code: 1, requests: 1, bytes: 1, waited: .zero, events: events, now: noon)
      }
      try expect(try runs.prefix(2).map { try library.other.events(of: $0).count }, [0, Store.mostEventsOfRun])
    },
    StoreClaim("a harvest whose process died is cut off by the next") { library in
      let first = try library.store.beginRun(of: 1, process: 7, now: noon)
      let second = try library.other.beginRun(of: 1, process: 8, now: noon + 600)
      let runs = try library.store.runs(limit: 9)
      try expect(runs.map(\.id), [second, first])
      try expect(runs.map(\.state), [.open, .cutOff])
    },
    StoreClaim("a notice that was delivered is not delivered again") { library in
      let notice = HarvestNotice(.login, about: "social.example", message: "the login has expired")
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      try expect(try library.store.undelivered([notice], since: noon - 60), [notice])
      try library.store.keep([notice], of: run, toldAt: noon)
      try expect(try library.other.undelivered([notice], since: noon - 60), [])
      try expect(try library.other.undelivered([notice], since: noon + 60), [notice])
    },
    StoreClaim("who is followed, and who is not any more, survives a loss of power") { library in
      try library.store.follow(follow(cats), now: noon)
      try library.store.follow(follow(dogs), now: noon)
      try expect(try library.leftByPowerLoss { try $0.follows().map(\.feed) }, [cats, dogs])
      try expect(try library.store.unfollow(cats), true)
      try expect(try library.leftByPowerLoss { try $0.follows().map(\.feed) }, [dogs])
    },
    StoreClaim("counts that belong to no feed are added to those of the feeds") { library in
      let run = try library.store.beginRun(of: 1, process: 7, now: noon)
      var counts = HarvestRun.Counts()
      (counts.pictures, counts.picturesFailed, counts.bytes) = (2, 1, 70)
      try library.store.note(
        HarvestRun.Part(feed: cats, outcome: .well, counts: counts), in: run)
      (counts.pictures, counts.picturesFailed, counts.bytes) = (3, 0, 5)
      try library.store.add(counts, to: run)
      let told = try require(try library.other.runs(limit: 1).first)
      try expect([told.counts.pictures, told.counts.picturesFailed], [5, 1])
      try expect(told.parts.map(\.counts.pictures), [2])
    },
  ]
}

import Foundation
import Posts
import Storage

/// What `FeedRecords` promises.
public enum FeedRecordsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a feed is known once it was pulled, and has posts once a page brought some") { library in
      try expect(try library.other.feeds(), [])
      _ = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      try expect(try library.other.feeds(), [cats])
      try expect(try library.other.isKnown(cats), false)
      try library.pull([post(1)])
      try expect(try library.other.isKnown(cats), true)
      try expect(try library.other.hasPosts(of: cats), true)
      try expect(try library.other.hasPosts(of: dogs), false)
    },
    StoreClaim("a feed that brought nothing can be forgotten, another cannot") { library in
      _ = try library.store.beginPull(of: dogs, goal: PullGoal(pages: 1), now: noon)
      try library.pull([post(1)])
      try expect(try library.store.forgetEmpty(dogs), true)
      try expect(try library.store.forgetEmpty(cats), false)
      try expect(try library.other.feeds(), [cats])
    },
    StoreClaim("a feed keeps the API that was chosen for it") { library in
      try library.pull([post(1)])
      try expect(try library.other.api(of: cats), nil)
      try library.store.note(api: "other", other: false, of: cats)
      try expect(try library.other.api(of: cats), "other")
      try library.store.note(api: nil, other: false, of: cats)
      try expect(try library.other.api(of: cats), nil)
    },
    StoreClaim("another API's cursors mean nothing, so an unfinished pull starts again at the top") { library in
      try library.pull([page([9, 8])], reached: false)
      try expect(try library.store.note(api: "other", other: true, of: cats), true)
      let left = try library.other.resumePull(of: cats, leaving: [], now: noon)
      try expect(left?.start, nil)
    },
    StoreClaim("what harvests learnt about a feed is kept") { library in
      try library.pull([post(1)])
      try expect(try library.other.pollingStatistics(of: cats), PollingStatistics())
      let learnt = PollingStatistics(largestPage: 40, deepAt: noon, fillAt: nil)
      try library.store.keep(learnt, of: cats)
      try expect(try library.other.pollingStatistics(of: cats), learnt)
    },
  ]
}

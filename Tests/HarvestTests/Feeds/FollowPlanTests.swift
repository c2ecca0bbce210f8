import Foundation
import Posts
import Services
import Storage
import Testing

@testable import Harvest

struct FollowPlanTests {
  private static let server = Server("a.example")!
  private let cats = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
  private let plan = FollowPlan(now: noon)
  private func later(_ seconds: TimeInterval) -> Date { noon.addingTimeInterval(seconds) }

  private func followed(every: Duration? = nil) -> Follow { plan.follow(cats, every: every, before: nil) }

  private func after(_ outcome: FeedOutcome, _ follow: Follow, at moment: Date = noon) throws -> Follow {
    var follow = follow
    follow.schedule = try #require(FollowPlan(now: moment).schedule(of: follow, after: outcome))
    return follow
  }

  private var quiet: FeedOutcome { .read(FeedHead(arrived: 0, items: 20, capacity: 40)) }
  private var down: FeedOutcome { .failed(SourceError.serverFailed(Self.server, status: 503)) }

  @Test func `a followed feed is due at once, then after its interval`() throws {
    let follow = followed(every: .seconds(600))
    #expect(plan.isDue(follow))
    let read = try after(quiet, follow)
    #expect((read.schedule.state, read.schedule.pulledAt, read.schedule.dueAt) == (.well, noon, later(600)))
    #expect(!FollowPlan(now: later(500)).isDue(read))
    #expect(FollowPlan(now: later(600)).isDue(read))
  }

  @Test func `a cron line that comes a little early does not come a whole turn late`() throws {
    let read = try after(quiet, followed(every: .seconds(900)))
    #expect(FollowPlan(now: later(899)).isDue(read))
    #expect(FollowPlan(now: later(811)).isDue(read))
    #expect(!FollowPlan(now: later(800)).isDue(read))
  }

  @Test func `a clock that was ahead does not keep a feed waiting`() throws {
    let read = try after(quiet, followed(every: .seconds(900)), at: later(1e9))
    #expect(plan.isDue(read))
    #expect(!FollowPlan(now: later(1e9)).isDue(read))
  }

  @Test func `a protection that refuses is an outage, not a login that failed`() throws {
    let follow = try after(.failed(SourceError.blocked(Self.server)), followed())
    #expect((follow.schedule.state, follow.schedule.dueAt) == (.failing, later(3600)))
  }

  @Test func `a failing feed is asked later and later, up to a day, and a success makes all good`() throws {
    var follow = followed()
    var waits: [TimeInterval] = []
    for _ in 0..<8 {
      follow = try after(down, follow)
      waits.append(try #require(follow.schedule.dueAt).timeIntervalSince(noon))
    }
    #expect(waits == [3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400, 86_400])
    #expect((follow.schedule.state, follow.schedule.failures) == (.failing, 8))
    #expect(follow.schedule.failingSince == noon)
    #expect(follow.schedule.failure == "a.example fails (status 503): try again later")
    let well = try after(quiet, follow, at: later(60))
    #expect((well.schedule.state, well.schedule.failures, well.schedule.failure) == (.well, 0, nil))
    #expect(well.schedule.failingSince == nil)
  }

  @Test func `Instagram is not left alone for longer than its window, failing or not`() throws {
    let tag = Feed(source: .instagram, kind: .tag, value: "cats", server: Self.server)
    var follow = plan.follow(tag, every: nil, before: nil)
    for _ in 0..<9 { follow = try after(down, follow) }
    #expect(follow.schedule.dueAt == later(72_000))
    #expect(try after(.failed(SourceError.needsLogin(Self.server)), follow).schedule.dueAt == later(72_000))
  }

  @Test func `a new interval of a failing feed counts from its last failure, and never delays its next try`() throws {
    var failing = try after(down, followed())
    #expect(failing.schedule.dueAt == later(3600))
    failing = FollowPlan(now: later(30)).follow(cats, every: .seconds(60), before: failing)
    #expect((failing.schedule.state, failing.schedule.dueAt) == (.failing, later(60)))
    failing = FollowPlan(now: later(40)).follow(cats, every: .seconds(86_400), before: failing)
    #expect(failing.schedule.dueAt == later(60))
  }

  @Test func `a feed that another command could read fails no longer, and is due as if it had not`() throws {
    let read = try after(shown(nil), followed(every: .seconds(900)))
    let failing = try after(down, read, at: later(900))
    let recovered = try #require(FollowPlan(now: later(1000)).recovered(failing))
    #expect((recovered.state, recovered.failures, recovered.failure, recovered.failingSince) == (.well, 0, nil, nil))
    #expect((recovered.pulledAt, recovered.dueAt) == (noon, later(900)))
    let unread = try #require(plan.recovered(try after(down, followed())))
    #expect((unread.state, unread.dueAt) == (.new, noon))
    #expect(plan.recovered(read) == nil && plan.recovered(followed()) == nil)
    let limit = SourceError.rateLimited(Self.server, until: later(900), asked: noon)
    #expect(plan.recovered(try after(.limited(until: later(900), limit, nil), followed())) == nil)
  }

  @Test func `a failing feed of a short interval is tried again soon at first`() throws {
    let follow = try after(down, followed(every: .seconds(60)))
    #expect(follow.schedule.dueAt == later(60))
  }

  private func shown(_ requestedDelay: RequestedDelay?) -> FeedOutcome {
    .read(FeedHead(arrived: 0, items: 20, capacity: 20, requestedDelay: requestedDelay))
  }

  @Test func `a feed that would be left alone is due no earlier, however early the cron line comes`() throws {
    let read = try after(shown(RequestedDelay(suggested: .seconds(7200))), followed(every: .seconds(900)))
    #expect((read.schedule.state, read.schedule.interval) == (.well, .seconds(900)))
    #expect((read.schedule.dueAt, read.schedule.requestedDelay) == (later(7200), .seconds(7200)))
    #expect(!FollowPlan(now: later(7199)).isDue(read))
    #expect(FollowPlan(now: later(7200)).isDue(read))
    #expect(!FollowPlan(now: later(60)).isHeldBack(read), "a person need not wait")
    let faster = FollowPlan(now: later(60)).follow(cats, every: .seconds(60), before: read)
    #expect((faster.schedule.interval, faster.schedule.dueAt) == (.seconds(60), later(7200)))
  }

  @Test func `a feed without changes is left alone as before, until it says otherwise`() throws {
    var follow = try after(shown(RequestedDelay(suggested: .seconds(7200))), followed(every: .seconds(900)))
    follow = try after(shown(nil), follow, at: later(7200))
    #expect(follow.schedule.requestedDelay == .seconds(7200))
    follow = try after(shown(RequestedDelay(suggested: .seconds(1800))), follow, at: later(14_400))
    #expect(follow.schedule.requestedDelay == .seconds(1800))
    follow = try after(shown(RequestedDelay()), follow, at: later(16_200))
    #expect((follow.schedule.requestedDelay, follow.schedule.dueAt) == (nil, later(17_100)))
  }

  @Test func `a pause that comes with an answer is kept, and does not outlast itself`() throws {
    let paused = try after(shown(RequestedDelay(demanded: .seconds(4000))), followed(every: .seconds(900)))
    #expect((paused.schedule.state, paused.schedule.dueAt) == (.limited, later(4000)))
    #expect((paused.schedule.pulledAt, paused.schedule.failures) == (noon, 0))
    #expect(FollowPlan(now: later(3999)).isHeldBack(paused))
    let read = try after(shown(nil), paused, at: later(4000))
    #expect((read.schedule.state, read.schedule.dueAt) == (.well, later(4900)))
    let long = try after(shown(RequestedDelay(demanded: .seconds(1_000_000))), followed())
    #expect(long.schedule.dueAt == later(86_400))
  }

  @Test(arguments: [1, 5, 9, 10, 30, 60])
  func `a pause that is over before the feed is due does not count`(seconds: Int) throws {
    let paused = try after(shown(RequestedDelay(demanded: .seconds(seconds))), followed(every: .seconds(60)))
    #expect((paused.schedule.state, paused.schedule.dueAt) == (.well, later(60)))
    #expect((paused.schedule.failure, paused.schedule.failedAt) == (nil, nil))
    #expect(FollowPlan(now: later(60)).isDue(paused))
  }

  @Test(arguments: [nil, -5, 0, 5] as [TimeInterval?])
  func `a limit without a time, or one that is over at once, is waited out for a quarter of an hour`(
    seconds: TimeInterval?
  ) throws {
    let until = seconds.map(later)
    let limit = SourceError.rateLimited(Self.server, until: until, asked: noon)
    let limited = try after(.limited(until: until, limit, nil), followed(every: .seconds(60)))
    #expect((limited.schedule.state, limited.schedule.dueAt) == (.limited, later(900)))
  }

  @Test func `a feed that is gone is asked no more until it is followed again`() throws {
    let gone = try after(.failed(SourceError.gone(Self.server, what: "feed at /rss")), followed())
    #expect((gone.schedule.state, gone.schedule.dueAt) == (.gone, nil))
    #expect(!FollowPlan(now: later(1e9)).isDue(gone))
    let again = plan.follow(cats, every: nil, before: gone)
    #expect(plan.isDue(again))
    #expect((again.schedule.state, again.schedule.failures) == (.new, 0))
  }

  @Test func `a feed that wants a login is asked again when the logins change, or after a day`() throws {
    let shut = try after(.failed(SourceError.tokenRefused(Self.server)), followed())
    #expect(shut.schedule.state == .login)
    #expect(!FollowPlan(now: later(3600), accountsChangedAt: later(-1)).isDue(shut))
    #expect(FollowPlan(now: later(3600), accountsChangedAt: later(1800)).isDue(shut))
    #expect(FollowPlan(now: later(86_400)).isDue(shut))
  }

  @Test func `a server that says when to come back is not asked a moment earlier`() throws {
    let limit = SourceError.rateLimited(Self.server, until: later(4000), asked: noon)
    let limited = try after(.limited(until: later(4000), limit, nil), followed())
    #expect((limited.schedule.state, limited.schedule.dueAt) == (.limited, later(4000)))
    #expect(limited.schedule.failures == 0)
    #expect(FollowPlan(now: later(3999)).isHeldBack(limited))
    #expect(!FollowPlan(now: later(3999)).isDue(limited))
    #expect(FollowPlan(now: later(4000)).isDue(limited))
    #expect(!FollowPlan(now: later(4000)).isHeldBack(limited))
  }

  @Test func `a limit that is met amid old posts does not take back that the new ones were read`() throws {
    let limit = SourceError.rateLimited(Self.server, until: later(60), asked: noon)
    let head = FeedHead(arrived: 0, items: 20, capacity: 40)
    let limited = try after(.limited(until: later(60), limit, head), followed())
    #expect((limited.schedule.state, limited.schedule.pulledAt) == (.limited, noon))
    #expect(limited.schedule.dueAt == later(7200))
  }

  @Test func `a stopped follow is as it was`() {
    #expect(plan.schedule(of: followed(), after: .stopped) == nil)
  }

  @Test func `to follow anew changes the interval and nothing else`() throws {
    let read = try after(quiet, followed(every: .seconds(7200)))
    let same = plan.follow(cats, every: .seconds(7200), before: read)
    #expect(same == read)
    let changed = FollowPlan(now: later(60)).follow(cats, every: .seconds(600), before: read)
    #expect((changed.schedule.interval, changed.schedule.dueAt) == (.seconds(600), later(600)))
    let failing = try after(down, read)
    #expect(plan.follow(cats, every: .seconds(600), before: failing).schedule.failures == 1)
  }

  @Test func `a limit of a clock that was ahead holds nothing back`() throws {
    let ahead = later(1e8)
    let limit = SourceError.rateLimited(Self.server, until: ahead + 900, asked: ahead)
    let limited = try after(.limited(until: ahead + 900, limit, nil), followed(), at: ahead)
    #expect(FollowPlan(now: ahead).isHeldBack(limited))
    #expect(plan.isDue(limited) && !plan.isHeldBack(limited))
  }

  @Test func `a person need not wait for the interval of a feed that met a limit amid old posts`() throws {
    let limit = SourceError.rateLimited(Self.server, until: later(60), asked: noon)
    let head = FeedHead(arrived: 0, items: 20, capacity: 40)
    let limited = try after(.limited(until: later(60), limit, head), followed())
    #expect(!FollowPlan(now: later(1800)).isDue(limited))
    #expect(!FollowPlan(now: later(1800)).isHeldBack(limited))
  }

  @Test func `a feed that another command pulls is as it was`() {
    #expect(plan.schedule(of: followed(), after: .failed(FeedInUse())) == nil)
  }
}

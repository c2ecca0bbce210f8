import FoundationEssentials
import MediaLibrary
import Storage
import Web
import Wording

extension Library {
  /// The state of harvests as JSON, small enough for every page. Times are seconds since 1970.
  func status(at now: Date) throws -> JSONMembers {
    func seconds(_ moment: Date) -> Int { Int(moment.timeIntervalSince1970.rounded(.down)) }
    let follows = try store.follows()
    let next = StatusReading.next(of: follows)
    let failing = follows.filter { [.failing, .login, .gone].contains($0.schedule.state) }.map {
      JSONMembers(present: [
        "feed": $0.feed.name, "state": $0.schedule.state.rawValue, "failure": $0.schedule.failure,
        "cure": FollowText($0).cure,
        // When it is tried again.
        "due": $0.schedule.dueAt.map(seconds),
      ])
    }
    let last = try store.runs(limit: 1).first.map {
      JSONMembers(present: [
        "started": seconds($0.startedAt), "finished": $0.finishedAt.map(seconds), "state": $0.text.state,
        "new": $0.counts.new, "failed": $0.failed,
      ])
    }
    return JSONMembers(present: [
      // The server's clock.
      "now": seconds(now),
      // When the next feed is due, and which it is.
      "next": next?.schedule.dueAt.map(seconds), "nextFeed": next?.feed.name, "follows": follows.count,
      "due": follows.count { $0.schedule.dueAt.map { $0 <= now } ?? false },
      // The feeds that harvests cannot read, and why.
      "failing": failing, "run": last,
    ])
  }
}

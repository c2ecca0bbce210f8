import FoundationEssentials
import Machine
import Posts

/// A walk down a page of another site, from its top to posts that are known.
public struct PageWalk: Sendable, Hashable {
  let id: Int64
  /// When the first walk began of those that did not come to what was known before them. Below what came since, posts may be
  /// missing.
  public let since: Date
}

extension Store {
  /// Begins a walk. One that was not finished, because it was stopped or its process died, goes on as this one.
  ///
  /// - Parameters:
  ///   - page: The feed of the page. Nobody else walks down it meanwhile.
  ///   - now: The time.
  /// - Throws: `StorageError` if the library cannot be written.
  public func beginWalk(of page: Feed, now: Date) throws(StorageError) -> PageWalk {
    try write { db in
      let feed = try id(of: page, in: db)
      let last = try db.row(
        "SELECT id, state, started_at FROM cursor WHERE feed = $1 AND kind = 'pull' ORDER BY id DESC LIMIT 1", [feed]
      ) { row in (id: try row["id"] as Int64, state: try row["state"] as String, since: try row.date("started_at")) }
      guard let last else {
        return PageWalk(
          id: try insertPull(of: page, feed, goal: PullGoal(known: true), kind: "pull", now: now, in: db).id, since: now
        )
      }
      let isNew = last.state == "reached"
      try db.run(
        "UPDATE cursor SET state = 'open', started_at = $1, finished_at = NULL WHERE id = $2",
        [UTC.text(isNew ? now : last.since ?? now), last.id])
      return PageWalk(id: last.id, since: isNew ? now : last.since ?? now)
    }
  }

  /// Ends a walk.
  ///
  /// - Parameters:
  ///   - walk: The walk.
  ///   - isFinished: Whether nothing is missing between the top and what was known before. Otherwise that is recorded as missing.
  ///   - now: The time.
  /// - Throws: `StorageError` if the library cannot be written.
  public func endWalk(_ walk: PageWalk, isFinished: Bool, now: Date) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE cursor SET state = $1, finished_at = $2 WHERE id = $3",
        [isFinished ? "reached" : "unfinished", UTC.text(now), walk.id])
    }
  }
}

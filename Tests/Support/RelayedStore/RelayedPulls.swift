import Blobs
import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func fallbackIDs(of pull: Pull) throws(StorageError) -> [String] { try below.fallbackIDs(of: pull.copy) }

  public func fallbackAnchors(near anchor: String, of pull: Pull) throws(StorageError) -> [String] {
    try below.fallbackAnchors(near: anchor, of: pull.copy)
  }

  public func looksNewer(_ page: Page, than pull: Pull) throws(StorageError) -> Bool {
    try below.looksNewer(page, than: pull.copy)
  }

  public func intervals(above id: String, of feed: Feed) throws(StorageError) -> [FeedInterval] {
    try below.intervals(above: id, of: feed).map(\.copy)
  }

  public func holds(anyOf ids: [String], in interval: FeedInterval) throws(StorageError) -> Bool {
    try below.holds(anyOf: ids, in: interval.copy)
  }

  public func holds(anyOf ids: [String], in pull: Pull) throws(StorageError) -> Bool {
    try below.holds(anyOf: ids, in: pull.copy)
  }

  public func beginPull(of feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> Pull {
    try below.beginPull(of: feed, goal: goal, now: now).copy
  }

  public func finishPull(_ pull: Pull, reached: Bool, now: Date) throws(StorageError) {
    try below.finishPull(pull.copy, reached: reached, now: now)
  }

  public func resumePull(of feed: Feed, leaving stuck: Set<Int64>, now: Date) throws(StorageError) -> Resumption? {
    try below.resumePull(of: feed, leaving: stuck, now: now)?.copy
  }

  public func beginAnew(_ lost: Pull, now: Date) throws(StorageError) -> Pull {
    try below.beginAnew(lost.copy, now: now).copy
  }

  public func beginPull(below feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> (Pull, FeedEdge)? {
    guard let (pull, edge) = try below.beginPull(below: feed, goal: goal, now: now) else { return nil }
    return (pull.copy, edge.copy)
  }

  public func stepOver(_ pull: Pull) throws(StorageError) -> FeedEdge { try below.stepOver(pull.copy).copy }

  public func beginIncrementalPull(
    of feed: Feed, below count: Int, now: Date
  ) throws(StorageError) -> IncrementalPull? {
    try below.beginIncrementalPull(of: feed, below: count, now: now)?.copy
  }

  public func isNearTop(_ id: String, of pull: Pull) throws(StorageError) -> Bool {
    try below.isNearTop(id, of: pull.copy)
  }

  public func countOfTop(of feed: Feed, since moment: Date, most: Int) throws(StorageError) -> Int {
    try below.countOfTop(of: feed, since: moment, most: most)
  }

  public func save(
    _ page: consuming Page, in pull: Pull, pictures: Bool, now: Date
  ) throws(StorageError) -> Saved {
    try below.save(page, in: pull.copy, pictures: pictures, now: now).copy
  }

  public func saveAside(
    _ items: [PageItem], of feed: Feed, pictures: Bool, now: Date
  ) throws(StorageError) -> Saved {
    try below.saveAside(items, of: feed, pictures: pictures, now: now).copy
  }

  public func save(
    _ page: Page, above anchor: String, in pull: Pull, pictures: Bool, now: Date
  ) throws(StorageError) -> (Saved, UpwardMergeResult) {
    let (saved, result) = try below.save(page, above: anchor, in: pull.copy, pictures: pictures, now: now)
    return (saved.copy, result)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func innerGaps(
    of feed: Feed, isRunning: (Feed) -> Bool
  ) throws(StorageError) -> (gaps: [InnerGap], isCutShort: Bool) {
    let (gaps, isCutShort) = try below.innerGaps(of: feed, isRunning: isRunning)
    return (gaps.map(\.copy), isCutShort)
  }

  public func isOpen(_ gap: Gap) throws(StorageError) -> Bool { try below.isOpen(gap.copy) }

  public func gaps(of feed: Feed?, isRunning: (Feed) -> Bool) throws(StorageError) -> [Gap] {
    try below.gaps(of: feed, isRunning: isRunning).map(\.copy)
  }

  public func idsOfPassed(_ gap: Gap) throws(StorageError) -> [String] { try below.idsOfPassed(gap.copy) }

  public func closePassed(_ gap: Gap, by ids: [String]) throws(StorageError) -> Bool {
    try below.closePassed(gap.copy, by: ids)
  }

  public func beginFillFromTop(of gap: Gap, now: Date) throws(StorageError) -> Pull? {
    try below.beginFillFromTop(of: gap.copy, now: now)?.copy
  }

  public func beginFill(
    of gap: Gap, upwards: Bool, halfPage: Int, now: Date
  ) throws(StorageError) -> (pull: Pull, edge: FeedEdge, anchor: String)? {
    guard let fill = try below.beginFill(of: gap.copy, upwards: upwards, halfPage: halfPage, now: now) else {
      return nil
    }
    return (fill.pull.copy, fill.edge.copy, fill.anchor)
  }
}

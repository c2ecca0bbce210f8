import Foundation
import Login
import Posts
import Services
import Storage
import Terminal

/// What wants a person's attention: decided from values alone, the most urgent first, one sentence with its cure each.
struct Notices {
  /// A login is told of that ends within so long, a feed that has failed for so long.
  static let week: TimeInterval = 7 * 86_400
  static let threeDays: TimeInterval = 3 * 86_400
  /// A disk is told of that has less left, in bytes or in hundredths.
  private static let leastRoom: Int64 = 1_000_000_000
  private static let leastShare: Int64 = 2

  let now: Date
  let times: TimeText

  /// What is to be said of a library's disk, of logins, and of the feeds that have failed for long.
  func all(disk: DiskRoom?, library: String, accounts: [Account], failing: [Follow]) -> [HarvestNotice] {
    let disk = disk.flatMap { notice(of: $0, library) }
    return (disk.map { [$0] } ?? []) + accounts.sorted { ends($0) < ends($1) }.compactMap(notice)
      + failing.compactMap(notice)
  }

  private func ends(_ account: Account) -> Date { account.expires ?? .distantFuture }

  private func notice(of disk: DiskRoom, _ library: String) -> HarvestNotice? {
    guard disk.free < Self.leastRoom || disk.free / Self.leastShare < disk.size / 100 else { return nil }
    let words: Inert =
      "only \(ByteText.of(Int(disk.free))) are free on the disk of \(library): free some space, or move it"
    return HarvestNotice(.disk, about: library, words: words.text)
  }

  /// A login that renews itself is told of only once it has failed to.
  private func notice(of account: Account) -> HarvestNotice? {
    guard let end = account.expires, end <= now.addingTimeInterval(account.isRenewable ? 0 : Self.week) else {
      return nil
    }
    let advice = Catalogue.entry(account.source)?.api(account.api, at: account.server)?.login ?? ""
    let command = advice.isEmpty ? "media login \(account.server)" : "media login \(account.server) \(advice)"
    let tense = end > now ? "ends" : "ended"
    let words: Inert = "the login of \(account.handle) \(tense) at \(times.short(end)): run \"\(command)\""
    return HarvestNotice(.login, about: "\(account.source.rawValue) \(account.handle)", words: words.text)
  }

  private func notice(of follow: Follow) -> HarvestNotice? {
    let schedule = follow.schedule
    guard let since = schedule.failingSince, since <= now.addingTimeInterval(-Self.threeDays) else { return nil }
    let name = follow.feed.spoken
    let reason = schedule.failure.map { ", for \($0)" } ?? ""
    let effect = schedule.state == .gone ? "ends this notice" : "stops asking"
    let words: Inert =
      "\(name) has failed since \(times.short(since))\(reason); \"media unfollow \(name)\" \(effect)"
    return HarvestNotice(.feed, about: follow.feed.name, words: words.text)
  }
}

extension App {
  /// What wants attention now.
  func notices(in store: Store) throws -> [HarvestNotice] {
    let now = time.now()
    // Commands run by a schedule say nothing, and the person's own command may be what does not count.
    let ignored = try ignoredWords().map { HarvestNotice(.notify, about: places.configuration, words: $0.text) }
    return Notices(now: now, times: TimeText()).all(
      disk: DiskRoom(of: places.library), library: places.library, accounts: try accounts.all(),
      failing: try store.follows(failingSince: now.addingTimeInterval(-Notices.threeDays)))
      + [ignored].compactMap(\.self)
  }
}

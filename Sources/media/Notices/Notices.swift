import FoundationEssentials
import HTTP
import Login
import Posts
import Services
import Storage
import Terminal
import Wording

/// Notices for the user, computed from values alone: most urgent first, each one sentence with what helps.
struct Notices {
  /// The remaining validity below which a login is reported, that of one with an end of its own, and the time after which a
  /// failing feed is.
  static let week: TimeInterval = 7 * 86_400
  static let threeDays: TimeInterval = 3 * 86_400
  /// The free disk space below which the disk is reported, in bytes or percent.
  private static let leastRoom: Int64 = 1_000_000_000
  private static let leastShare: Int64 = 2

  let now: Date
  let times: MomentText

  /// The notices about a library's disk, its logins, and feeds that have failed for long.
  func all(disk: DiskRoom?, library: String, accounts: [Account], failing: [Follow]) -> [HarvestNotice] {
    let disk = disk.flatMap { notice(of: $0, library) }
    return (disk.map { [$0] } ?? []) + accounts.sorted { ends($0) < ends($1) }.compactMap(notice)
      + failing.compactMap(notice)
  }

  private func ends(_ account: Account) -> Date { account.end ?? .distantFuture }

  private func notice(of disk: DiskRoom, _ library: String) -> HarvestNotice? {
    guard disk.free < Self.leastRoom || disk.free / Self.leastShare < disk.size / 100 else { return nil }
    let text: SafeText =
      "only \(NumberText.bytes(Int(disk.free))) are free on the disk of \(library): free some space, or move it"
    return HarvestNotice(.disk, about: library, message: text.text)
  }

  /// A login that renews itself is reported only after a renewal failed, or shortly before its own end.
  private func notice(of account: Account) -> HarvestNotice? {
    let login = Catalogue.entry(account.source)?.api(account.api, at: account.server)?.login
    // A login with an end of its own is not renewed beyond it.
    let isRenewable =
      account.ends == nil && account.isRenewable(exchangingTokens: login?.exchangesTokens ?? false)
    // A token of hours ends between two pulls, which says nothing of the login.
    if isRenewable, account.isShortLived { return nil }
    let notice = account.ends == nil ? Self.week : Self.threeDays
    guard let end = account.end, end <= now.addingTimeInterval(isRenewable ? 0 : notice) else { return nil }
    let command = SourceDescriptor.loginCommand(for: account)
    let tense = end > now ? "ends" : "ended"
    let text: SafeText = "the login of \(account.handle) \(tense) at \(times.minute(end)): run \"\(command)\""
    return HarvestNotice(.login, about: "\(account.source.rawValue) \(account.handle)", message: text.text)
  }

  private func notice(of follow: Follow) -> HarvestNotice? {
    let schedule = follow.schedule
    guard let since = schedule.failingSince, since <= now.addingTimeInterval(-Self.threeDays) else { return nil }
    let name = follow.feed.spoken
    let reason = schedule.failure.map { ", for \($0)" } ?? ""
    let effect = schedule.state == .gone ? "ends this notice" : "stops asking"
    let text: SafeText =
      "\(name) has failed since \(times.minute(since))\(reason); \"media unfollow \(name)\" \(effect)"
    return HarvestNotice(.feed, about: follow.feed.name, message: text.text)
  }
}

/// Finds the current notices about a library.
struct NoticeFinder: Sendable {
  let settings: LibrarySettings
  let accounts: Accounts
  /// The library's folder.
  let library: String
  let time: TimeSource

  /// What rules tell of the posts that a harvest brought.
  func ruleNotices(after run: Int64, in store: Store) throws -> [HarvestNotice] {
    guard let started = try store.run(run)?.startedAt else { return [] }
    return try store.noticedPosts(since: started, of: run, now: time.now()).map { rule, posts in
      let text: SafeText = "\(NumberText.count(posts.count, "new post")) for the rule \"\(rule)\""
      // Each harvest tells of its own posts, however soon it follows.
      return HarvestNotice(.rule, about: "\(rule) from \(posts.last ?? 0)", message: text.text)
    }
  }

  /// The current notices.
  func notices(in store: Store) throws -> [HarvestNotice] {
    let now = time.now()
    // Scheduled commands print nothing, and the user's notice command may be what has no effect.
    let ignored = try settings.ignoredMessage().map {
      HarvestNotice(.notify, about: settings.paths.configuration, message: $0.text)
    }
    return Notices(now: now, times: MomentText()).all(
      disk: DiskRoom(of: library), library: library, accounts: try accounts.all(),
      failing: try store.follows(failingSince: now.addingTimeInterval(-Notices.threeDays)))
      + [ignored].compactMap(\.self)
  }
}

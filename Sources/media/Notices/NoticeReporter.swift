import FoundationEssentials
import HTTP
import Harvest
import Posts
import Storage
import Terminal

/// Reports notices after a harvest: to the user, to the run's record, and through the user's command.
struct NoticeReporter {
  /// The interval at which the command receives the same notice again.
  private static let day: TimeInterval = 86_400

  let console: Console
  let settings: LibrarySettings
  let notices: NoticeFinder
  let time: TimeSource
  let store: Store

  /// Reports the notices after a run. Its own failures are only reported: the harvest is done.
  func post(after run: Int64) async {
    do {
      try await report(try notices.notices(in: store) + notices.ruleNotices(after: run, in: store), run)
    } catch {
      let reason = (error as? any ExplainedError)?.description ?? String(describing: error)
      console.message("media: cannot tell what needs attention: \(reason)")
    }
  }

  private func report(_ notices: [HarvestNotice], _ run: Int64) async throws {
    // Notices about settings were reported when the settings were read.
    for notice in notices where notice.kind != .notify || settings.notice.isFirst("library") { say(notice) }
    let command = try settings.read(in: store).notify
    let untold =
      command == nil ? [] : try store.undelivered(notices, since: time.now().addingTimeInterval(-Self.day))
    try store.keep(notices.filter { !untold.contains($0) }, of: run, toldAt: nil)
    guard let command, !untold.isEmpty else { return }
    // Recorded before the command runs: an interrupted command is not run again and again.
    try store.keep(untold, of: run, toldAt: time.now())
    let lines = untold.map { SafeText($0.message) }
    guard let failure = await NoticeCommand(command: command, time: time).give(lines) else { return }
    let text = "the command of \"notify\" \(failure): \"media settings notify\" shows it"
    let notice = HarvestNotice(.notify, about: command, message: text)
    say(notice)
    try store.keep([notice], of: run, toldAt: nil)
  }

  private func say(_ notice: HarvestNotice) { console.warning("media: \(notice.message)") }
}

import Foundation
import Harvest
import Posts
import Storage
import Terminal

/// Reports notices after a harvest: to the user, to the run's record, and through the user's command.
struct NoticeReporter {
  /// The interval at which the command receives the same notice again.
  private static let day: TimeInterval = 86_400

  let app: App
  let store: Store
  let run: Int64

  /// Reports the notices. Its own failures are only reported: the harvest is done.
  func post() async {
    do {
      try await tell(try app.notices(in: store))
    } catch {
      let reason = (error as? any ExplainedError)?.description ?? String(describing: error)
      app.console.message("media: what wants attention is not known: \(reason)")
    }
  }

  private func tell(_ notices: [HarvestNotice]) async throws {
    // Notices about settings were reported when the settings were read.
    for notice in notices where notice.kind != .notify || app.settingsNotice.isFirst("library") { say(notice) }
    let command = try app.settings(in: store).notify
    let untold =
      command == nil ? [] : try store.undelivered(notices, since: app.time.now().addingTimeInterval(-Self.day))
    try store.keep(notices.filter { !untold.contains($0) }, of: run, toldAt: nil)
    guard let command, !untold.isEmpty else { return }
    // Recorded before the command runs: an interrupted command is not run again and again.
    try store.keep(untold, of: run, toldAt: app.time.now())
    let lines = untold.map { SafeText($0.words) }
    guard let failure = await NoticeCommand(command: command, time: app.time).give(lines) else { return }
    let text = "the command of \"notify\" \(failure): \"media settings notify\" shows it"
    let notice = HarvestNotice(.notify, about: command, words: text)
    say(notice)
    try store.keep([notice], of: run, toldAt: nil)
  }

  private func say(_ notice: HarvestNotice) { app.console.message("media: \(notice.words)") }
}

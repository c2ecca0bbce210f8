import Foundation
import Harvest
import Posts
import Storage
import Terminal

/// Says after a harvest what wants attention: to the person there, to the ledger, and through their own command.
struct NoticeBoard {
  /// The command is given the same notice again after so long.
  private static let day: TimeInterval = 86_400

  let app: App
  let store: Store
  let run: Int64

  /// Says it. Whatever goes wrong with it is itself only said: the harvest is done.
  func post() async {
    do {
      try await tell(try app.notices(in: store))
    } catch {
      let words = (error as? any ExplainedError)?.description ?? String(describing: error)
      app.console.message("media: what wants attention is not known: \(words)")
    }
  }

  private func tell(_ notices: [HarvestNotice]) async throws {
    // What the settings say of themselves was said when they were read.
    for notice in notices where notice.kind != .notify || app.settingsNotice.isFirst("library") { say(notice) }
    let command = try app.settings(in: store).notify
    let untold = command == nil ? [] : try store.untold(notices, since: app.time.now().addingTimeInterval(-Self.day))
    try store.keep(notices.filter { !untold.contains($0) }, of: run, toldAt: nil)
    guard let command, !untold.isEmpty else { return }
    // Before the command runs: one that is cut off is not run again and again.
    try store.keep(untold, of: run, toldAt: app.time.now())
    let lines = untold.map { Inert($0.words) }
    guard let failure = await Messenger(command: command, time: app.time).give(lines) else { return }
    let words = "the command of \"notify\" \(failure): \"media settings notify\" shows it"
    let notice = HarvestNotice(.notify, about: command, words: words)
    say(notice)
    try store.keep([notice], of: run, toldAt: nil)
  }

  private func say(_ notice: HarvestNotice) { app.console.message("media: \(notice.words)") }
}

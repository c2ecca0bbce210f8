import FoundationEssentials
import HTTP
import Harvest
import Posts
import Services
import Storage
import Terminal
import Wording

/// Looks at the streams of the networks of followed tags, where the person wants it, and says what came of it.
struct StreamLooks: Sendable {
  let console: Console
  let settings: Settings
  let logins: AccountChooser
  let pulls: PullFactory
  let pictures: PictureFactory
  let time: TimeSource
  let store: Store

  /// Looks at each stream, from where the last look ended.
  ///
  /// - Throws: What ended one before its time. What came before stays.
  func run(pictures wantsPictures: Bool) async throws {
    guard settings.jetstream else { return }
    let follows = try store.follows().filter { $0.feed.kind == .tag && $0.schedule.state != .gone }
    let groups = Dictionary(grouping: follows.map(\.feed)) { Group(source: $0.source, server: $0.server) }
    var failure: (any Error)?
    for (group, feeds) in groups.sorted(by: { $0.key.server.name < $1.key.server.name }) {
      guard let entry = Catalogue.entry(group.source), let stream = entry.stream else { continue }
      do { try await read(feeds, entry, stream, wantsPictures) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private struct Group: Hashable {
    let source: SourceName
    let server: Server
  }

  private func read(
    _ feeds: [Feed], _ entry: SourceDescriptor, _ stream: PostStream, _ wantsPictures: Bool
  ) async throws {
    let server = settings.jetstreamServer
    // A login that ended keeps nobody from what everybody may read.
    let login = (try? await logins.login(for: feeds[0])) ?? nil
    let (source, rates) = try pulls.preview(of: feeds[0], as: login, in: store)
    let tagStream = TagStream(
      store: store, feeds: feeds, of: entry, stream: stream, source: source, pictures: wantsPictures, time: time
    ) { [transports = pulls.transports] cursor throws(WebSocketError) in
      try transports.webSocket(to: stream.address(server, cursor))
    }
    let (report, failure) = try await Interruption.guarding {
      let (report, failure) = await tagStream.run()
      if wantsPictures, !report.stored.isEmpty, !Task.isCancelled {
        let pull = pictures.pull(into: store, rank: .background) { [console] in console.message($0) }
        try await pull.run(report.stored)
      }
      return (report, failure)
    }
    await rates.giveBack()
    if failure == nil || report.from != nil { say(report, entry.displayName) }
    guard let failure else { return }
    throw (failure as? WebSocketError).map { SourceError($0, from: server) } ?? failure
  }

  private func say(_ report: TagStream.Report, _ name: String) {
    let times = MomentText()
    if let since = report.gapSince, let from = report.from {
      console.message(
        "media: \(name)'s stream begins at \(times.minute(from)): nothing since \(times.minute(since)) was looked at")
    }
    guard let from = report.from, let to = report.to else {
      return console.message("media: \(name)'s stream said nothing")
    }
    let rest = report.end == .bounded ? "; the next harvest goes on from there" : ""
    console.message(
      """
      media: looked at \(name)'s posts from \(times.minute(from)) to \(times.minute(to)): \
      \(NumberText.count(report.events, "event")), \(NumberText.count(report.new, "new post"))\(rest)
      """)
  }
}

extension SourceError {
  /// Why a stream broke off.
  fileprivate init(_ error: WebSocketError, from server: Server) {
    self =
      switch error {
      case .transport(let error): SourceError(error, from: server)
      case .refused(_, let status): .unreadable(server, reason: "it answers with status \(status)")
      case .broken(_, let how): .unreadable(server, reason: how)
      }
  }
}
